// SPDX-License-Identifier: GPL-3.0-or-later

/// An address fit for libcurl: blanks and letters beyond ASCII, as feeds do carry them, are percent-encoded behind
/// the host (RFC 3986 section 2.1); a host name in another script is left to libcurl (IDN).
struct EscapedURL: Equatable {
    let text: String

    /// `nil` for an address that is empty or contains control characters other than around it.
    init?(_ url: String) {
        let bytes = url.utf8.drop(while: Self.isBlank)
        guard let last = bytes.lastIndex(where: { !Self.isBlank($0) }) else { return nil }
        let trimmed = bytes[...last]
        guard trimmed.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let authority = Self.authorityEnd(trimmed)
        var result = Array(trimmed[..<authority])
        for byte in trimmed[authority...] {
            if byte > 0x20 && byte < 0x7F {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            }
        }
        text = String(decoding: result, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Where path, query or fragment begin.
    private static func authorityEnd(_ url: Substring.UTF8View) -> Substring.UTF8View.Index {
        var start = url.startIndex
        if let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) {
            start = url.index(colon, offsetBy: 3)
        }
        return url[start...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    }
}
