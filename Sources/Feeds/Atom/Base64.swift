// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials

/// A tolerant Base64 decoder (RFC 4648, 4) for Atom content that is not text.
enum Base64 {
    /// Decodes both the standard and the URL-safe alphabet; ignores white space and missing or misplaced padding.
    ///
    /// - Returns: `nil` if the text contains any other byte.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var digits = text.filter { !ASCII.isSpace($0) && $0 != UInt8(ascii: "=") }.map(standard)
        // A single digit after the last group of four encodes no byte.
        if digits.count % 4 == 1 { digits.removeLast() }
        digits += repeatElement(UInt8(ascii: "="), count: -digits.count & 3)
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }

    private static func standard(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }
}
