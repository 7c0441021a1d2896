// SPDX-License-Identifier: GPL-3.0-or-later

/// Words without markup.
enum PlainText {
    /// One line: HTML's tags left out, references decoded (also those escaped twice), white space collapsed.
    /// - Returns: nil where no word is left.
    static func line(_ text: [UInt8]) -> String? {
        if isLine(text) { return text.isEmpty ? nil : String(text: text) }
        // Where tags stand, what is escaped beside them is talk about tags.
        if HTMLCleaner.isMarkedUp(text) { return markupLine(text) }
        let decoded = decodedTwice(text)
        let words = collapsed(decoded.contains(UInt8(ascii: "<")) ? withoutTags(decoded) : decoded)
        return words.isEmpty ? nil : String(text: words)
    }

    /// One line of text that is plain by declaration: what looks like a tag is none.
    static func literalLine(_ text: [UInt8]) -> String? {
        let words = collapsed(decodedTwice(text))
        return words.isEmpty ? nil : String(text: words)
    }

    /// One line of text that is markup by declaration: what is escaped in it is no tag.
    static func markupLine(_ text: [UInt8]) -> String? {
        literalLine(withoutTags(text))
    }

    /// A value that is not for reading: trimmed, nothing else.
    static func token(_ text: [UInt8]) -> String? {
        let trimmed = ASCII.trimmed(text)
        return trimmed.isEmpty ? nil : String(text: trimmed)
    }

    /// Whether the text is one line of plain text already, as most titles are.
    private static func isLine(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in
            var index = 0
            while index < text.count {
                // The next blank, or what a plain line has none of; 0xC2 begins a no-break space.
                index = ByteScan.firstIndex(in: text, from: index) {
                    ByteScan.hits(below: 0x21, in: $0) | ByteScan.hits(of: UInt8(ascii: "<"), in: $0)
                        | ByteScan.hits(of: UInt8(ascii: "&"), in: $0) | ByteScan.hits(of: 0xC2, in: $0)
                }
                guard index < text.count else { return true }
                guard text[index] == 0x20, index > 0, text[index - 1] != 0x20 else { return false }
                index += 1
            }
            return text.last != 0x20
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
                    // Talked about, and not used.
                    words.append(contentsOf: tag.source)
                } else if kind != .inline, kind != .foreign {
                    words.append(UInt8(ascii: " "))
                }
            }
        }
        return words
    }

    /// White space, no-break spaces too, becomes one blank between words.
    private static func collapsed(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { text in
            // A blank takes the place of one byte at least, so there is room for all.
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
