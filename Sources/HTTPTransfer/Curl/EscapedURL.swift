// SPDX-License-Identifier: GPL-3.0-or-later

/// A URL or a relative reference in the form that libcurl accepts. Spaces and non-ASCII characters, which occur in
/// feeds, are percent-encoded after the host (RFC 3986 section 2.1); libcurl encodes non-ASCII host names (IDN).
struct EscapedURL: Equatable {
    let text: String
    /// In lower case; `nil` for a relative reference (RFC 3986 section 3.1).
    let scheme: String?

    /// Escapes a URL. Fails if the URL is empty, or contains control characters other than around it.
    init?(_ url: String) {
        let bytes = url.utf8.drop(while: Self.isBlank)
        guard let last = bytes.lastIndex(where: { !Self.isBlank($0) }) else { return nil }
        let trimmed = bytes[...last]
        guard trimmed.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let colon = Self.schemeEnd(trimmed)
        let authority = Self.authorityEnd(trimmed, from: colon.map(trimmed.index(after:)) ?? trimmed.startIndex)
        var result = Array(trimmed[..<authority])
        for byte in trimmed[authority...] {
            if byte > 0x20 && byte < 0x7F {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            }
        }
        text = String(decoding: result, as: UTF8.self)
        scheme = colon.map { String(decoding: trimmed[..<$0], as: UTF8.self).lowercased() }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Returns the colon after a scheme: a letter, then letters, digits and "+-.".
    private static func schemeEnd(_ url: Substring.UTF8View) -> Substring.UTF8View.Index? {
        guard let first = url.first, isLetter(first), let colon = url.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let isScheme = url[..<colon].allSatisfy {
            isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.".utf8.contains($0)
        }
        return isScheme ? colon : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Returns the index at which the path, query or fragment begins.
    private static func authorityEnd(
        _ url: Substring.UTF8View, from start: Substring.UTF8View.Index
    ) -> Substring.UTF8View.Index {
        guard url[start...].starts(with: "//".utf8) else { return start }
        let host = url.index(start, offsetBy: 2)
        return url[host...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    }
}
