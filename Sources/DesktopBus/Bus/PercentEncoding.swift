// SPDX-License-Identifier: GPL-3.0-or-later

/// The percent-encoding of paths. Sources: RFC 3986, section 2.1; D-Bus specification, server addresses.
enum PercentEncoding {
    private static let alphanumerics = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    private static let digits = Array("0123456789ABCDEF")

    /// Returns a path in which each byte is escaped that is neither a letter nor a digit nor one of `others`.
    static func encoded(_ path: String, keeping others: String) -> String {
        let plain = alphanumerics.union(others.utf8)
        return path.utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
