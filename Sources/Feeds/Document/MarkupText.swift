// SPDX-License-Identifier: GPL-3.0-or-later

/// Escaping of text for markup.
enum MarkupText {
    /// - Returns: markup that a parser reads as `text`, both in an element and in a quoted attribute.
    static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        var markup: [UInt8] = []
        markup.reserveCapacity(text.underestimatedCount)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): markup.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "&"): markup.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): markup.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): markup.append(contentsOf: "&gt;".utf8)
            default: markup.append(byte)
            }
        }
        return markup
    }
}
