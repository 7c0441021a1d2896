// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The names in a folder.
public enum FolderNames {
    /// Returns the names of all entries, in no order.
    public static func all(in folder: String) throws(SystemError) -> [String] {
        guard let entries = opendir(folder) else { throw SystemError("opendir") }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
