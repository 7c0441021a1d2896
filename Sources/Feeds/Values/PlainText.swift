// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts text that may contain markup to plain text.
enum PlainText {
    /// Returns one line without HTML tags, with references decoded (also those escaped twice) and white space
    /// collapsed.
    ///
    /// - Returns: `nil` if no word is left.
    static func line(_ text: [UInt8]) -> String? {
        if isLine(text) { return text.isEmpty ? nil : String(text: text) }
        // In a text with tags, escaped tags are literal text.
        if HTMLCleaner.isMarkedUp(text) { return markupLine(text) }
        let decoded = decodedTwice(text)
        let words = collapsed(decoded.contains(UInt8(ascii: "<")) ? withoutTags(decoded) : decoded)
        return words.isEmpty ? nil : String(text: words)
    }

    /// Returns one line of a text declared as plain, in which apparent tags are text.
    static func literalLine(_ text: [UInt8]) -> String? {
        let words = collapsed(decodedTwice(text))
        return words.isEmpty ? nil : String(text: words)
    }

    /// Returns one line of a text declared as markup, in which escaped tags are text.
    static func markupLine(_ text: [UInt8]) -> String? {
        literalLine(withoutTags(text))
    }

    /// Returns a value that is not for display, trimmed.
    static func token(_ text: [UInt8]) -> String? {
        let trimmed = ASCII.trimmed(text)
        return trimmed.isEmpty ? nil : String(text: trimmed)
    }

    /// Returns true if the text is already one line of plain text, as most titles are.
    private static func isLine(_ text: [UInt8]) -> Bool {
        guard text.first != 0x20, text.last != 0x20 else { return false }
        return text.withUnsafeBufferPointer { text in
            // The high bit of the next word's first byte if the last byte was a space.
            var carried: UInt64 = 0
            var index = 0
            while true {
                // Find a space after a space, or a byte that a plain line does not contain; 0xC2 begins a no-break
                // space.
                index = ByteScan.firstIndex(in: text, from: index) {
                    let spaces = ByteScan.hits(in: 0x20...0x20, in: $0)
                    let repeated = spaces & (spaces << 8 | carried)
                    carried = spaces >> 56
                    return repeated | ByteScan.hits(below: 0x20, in: $0) | ByteScan.hits(of: UInt8(ascii: "<"), in: $0)
                        | ByteScan.hits(of: UInt8(ascii: "&"), in: $0) | ByteScan.hits(of: 0xC2, in: $0)
                }
                guard index < text.count else { return true }
                let isAmpersand = text[index] == UInt8(ascii: "&")
                guard isAmpersand, CharacterReference.reference(in: text, at: index) == nil else { return false }
                (index, carried) = (index + 1, 0)
            }
        }
    }

    private static func decodedTwice(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<2 where text.contains(UInt8(ascii: "&")) {
            var decoded: [UInt8] = []
            text.withUnsafeBufferPointer { CharacterReference.decode($0, into: &decoded) }
            text = decoded
        }
        return text
    }

    private static func withoutTags(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer(withoutTags)
    }

    private static func withoutTags(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var words: [UInt8] = []
        var tokens = HTMLTokenizer(text)
        while let token = tokens.next() {
            switch token {
            case .text(let text): words.append(contentsOf: text)
            case .hidden: break
            case .tag(let tag):
                guard let kind = HTMLElement.kind(of: tag.name) else {
                    words.append(contentsOf: tag.source)
                    break
                }
                if kind == .hidden, !tag.isEnd, !tokens.skipElement(tag.name) {
                    // An element without an end tag: the text mentions the tag rather than using it.
                    words.append(contentsOf: tag.source)
                } else if kind != .inline, kind != .foreign {
                    words.append(UInt8(ascii: " "))
                }
            }
        }
        return words
    }

    /// Collapses white space, including no-break spaces, to one space between words.
    private static func collapsed(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { text in
            // A space replaces at least one byte, so the capacity suffices.
            [UInt8](unsafeUninitializedCapacity: text.count) { words, count in
                var isBetween = false
                var index = 0
                while index < text.count {
                    let isNoBreak = text[index] == 0xC2 && index + 1 < text.count && text[index + 1] == 0xA0
                    if isNoBreak || ASCII.isSpace(text[index]) {
                        isBetween = count > 0
                    } else {
                        if isBetween { append(UInt8(ascii: " "), to: words, &count) }
                        isBetween = false
                        append(text[index], to: words, &count)
                    }
                    index += isNoBreak ? 2 : 1
                }
            }
        }
    }

    @inline(__always)
    private static func append(_ byte: UInt8, to words: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
        words[count] = byte
        count += 1
    }
}
