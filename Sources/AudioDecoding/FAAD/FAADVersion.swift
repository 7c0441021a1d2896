// SPDX-License-Identifier: GPL-3.0-or-later
import CFAAD

/// The installed libfaad2.
public enum FAADVersion {
    /// The version with the copyright line that the licence of FAAD2 requires programs to show; `nil` if the library
    /// does not state them.
    public static var text: String? {
        var version: UnsafeMutablePointer<CChar>?
        var copyright: UnsafeMutablePointer<CChar>?
        guard NeAACDecGetVersion(&version, &copyright) == 0, let version, let copyright else { return nil }
        let owner = String(cString: copyright).split(separator: "\n").map { $0.drop { $0 == " " } }.first ?? ""
        return "libfaad2 \(String(cString: version)); \(owner)"
    }
}
