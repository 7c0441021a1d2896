// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the end of a tag byte by byte: a `>` outside quotes. A quote only opens after `=`, so that a stray quote
/// does not hide the end.
struct TagScanner: Equatable {
    enum Verdict: Equatable {
        case inside
        /// At `>`.
        case ended
        /// At a `<` that begins the next tag: this tag lacks its `>`.
        case broken
        /// At a `<` inside an unclosed quote: the tag had ended before this index.
        case endedBefore(Int)
    }

    private enum State: Equatable {
        case markup
        case afterEquals
        /// `end` is the index of the last `>`, if only white space followed it.
        case quoted(UInt8, end: Int?)
    }

    private var state: State = .markup

    /// - Parameter index: the byte's index within the tag.
    mutating func consume(_ byte: UInt8, at index: Int) -> Verdict {
        switch state {
        case .quoted(let quote, let end): return consumeQuoted(byte, at: index, quote: quote, end: end)
        case .afterEquals where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            state = .quoted(byte, end: nil)
            return .inside
        case .markup, .afterEquals: return consumeUnquoted(byte)
        }
    }

    /// Finds the end of an ordinary tag in one pass: a tag without `<` and without `>` inside quotes.
    ///
    /// - Parameter start: the index of the byte after `<`.
    /// - Returns: the index of the `>`; `nil` if the tag is incomplete or unusual.
    static func plainEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            // The characters < = > are adjacent in ASCII.
            index = ByteScan.firstIndex(in: bytes, from: index) {
                ByteScan.hits(in: UInt8(ascii: "<")...UInt8(ascii: ">"), in: $0)
            }
            guard index < bytes.count, bytes[index] != UInt8(ascii: "<") else { return nil }
            if bytes[index] == UInt8(ascii: ">") { return index }
            index &+= 1
            while index < bytes.count, ASCII.isSpace(bytes[index]) { index &+= 1 }
            guard index < bytes.count else { return nil }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            index = ByteScan.firstIndex(in: bytes, from: index &+ 1) {
                ByteScan.hits(of: quote, in: $0) | ByteScan.hits(of: UInt8(ascii: "<"), in: $0)
                    | ByteScan.hits(of: UInt8(ascii: ">"), in: $0)
            }
            guard index < bytes.count, bytes[index] == quote else { return nil }
            index &+= 1
        }
        return nil
    }

    private mutating func consumeUnquoted(_ byte: UInt8) -> Verdict {
        switch byte {
        case UInt8(ascii: ">"): return .ended
        case UInt8(ascii: "<"): return .broken
        case UInt8(ascii: "="): state = .afterEquals
        default: if !ASCII.isSpace(byte) { state = .markup }
        }
        return .inside
    }

    private mutating func consumeQuoted(_ byte: UInt8, at index: Int, quote: UInt8, end: Int?) -> Verdict {
        if byte == quote {
            state = .markup
        } else if byte == UInt8(ascii: ">") {
            state = .quoted(quote, end: index)
        } else if byte == UInt8(ascii: "<"), let end {
            return .endedBefore(end)
        } else if !ASCII.isSpace(byte) {
            state = .quoted(quote, end: nil)
        }
        return .inside
    }
}
