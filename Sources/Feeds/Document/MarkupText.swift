// SPDX-License-Identifier: GPL-3.0-or-later

/// Escaping of text for markup.
enum MarkupText {
    /// - Returns: markup that a parser reads as `text`, both in an element and in a quoted attribute.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        var markup: [UInt8] = []
        markup.reserveCapacity(text.count)
        text.withUnsafeBufferPointer { text in forEachPart(of: text) { markup.append(contentsOf: $0) } }
        return markup
    }

    /// Calls `body` with each part of the escaped text: the unchanged runs, and the escapes between them.
    static func forEachPart(of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        while start < text.count {
            let end = ByteScan.firstIndex(in: text, from: start) {
                ByteScan.hits(of: UInt8(ascii: "\""), in: $0) | ByteScan.hits(of: UInt8(ascii: "&"), in: $0)
                    | ByteScan.hits(of: UInt8(ascii: "<"), in: $0) | ByteScan.hits(of: UInt8(ascii: ">"), in: $0)
            }
            if start < end { body(UnsafeBufferPointer(rebasing: text[start..<end])) }
            if end < text.count { escape(of: text[end]).withUTF8Buffer(body) }
            start = end + 1
        }
    }

    private static func escape(of byte: UInt8) -> StaticString {
        switch byte {
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        default: "&gt;"
        }
    }
}
