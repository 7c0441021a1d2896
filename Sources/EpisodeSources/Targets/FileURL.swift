// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The conversion of paths to `file:` URLs (RFC 8089) and back. It is needed because a feed on disk links to its
/// episodes relative to itself.
enum FileURL {
    private static let prefix = "file://"

    /// Returns the URL of `path`; `nil` if the path is relative and the working directory is unknown.
    static func url(ofPath path: String) -> String? {
        guard path.hasPrefix("/") || workingDirectory != nil else { return nil }
        let absolute = path.hasPrefix("/") ? path : (workingDirectory ?? "") + "/" + path
        return prefix + absolute.utf8.map(escaped).joined()
    }

    /// Returns the path of a `file:` URL; `nil` for any other URL.
    static func path(ofURL url: String) -> String? {
        guard url.hasPrefix(prefix) else { return nil }
        let path = url.dropFirst(prefix.count).prefix { $0 != "?" && $0 != "#" }
        return path.hasPrefix("/") ? unescaped(path.utf8) : nil
    }

    private static var workingDirectory: String? {
        guard let buffer = getcwd(nil, 0) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E where !"%?#".utf8.contains(byte): String(UnicodeScalar(byte))
        default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    private static func unescaped(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(digits) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
