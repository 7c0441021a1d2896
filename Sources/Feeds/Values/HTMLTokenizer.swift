// SPDX-License-Identifier: GPL-3.0-or-later

/// Text that may be HTML, cut into words and tags. Never fails: what is no tag is text.
struct HTMLTokenizer: Sequence, IteratorProtocol {
    enum Token {
        case text(UnsafeBufferPointer<UInt8>)
        case tag(Tag)
        /// A comment or declaration.
        case hidden
    }

    struct Tag {
        let name: HTMLName
        let isEnd: Bool
        /// What follows the name.
        let attributes: UnsafeBufferPointer<UInt8>
        /// The whole tag as it stands.
        let source: UnsafeBufferPointer<UInt8>

        /// Whether there is no capital letter in it.
        var isLowercase: Bool { source.allSatisfy { !(0x41...0x5A).contains($0) } }
    }

    private let source: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// Elements whose end was looked for in vain, so that it is not looked for again.
    private var unended: [HTMLName] = []
    /// A longer tag is none.
    private static let longestTag = 16 << 10

    /// - Parameter source: it must outlive the tokenizer and its tokens.
    init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
    }

    mutating func next() -> Token? {
        guard index < source.count else { return nil }
        guard source[index] == UInt8(ascii: "<") else { return text(from: index) }
        return hidden() ?? tag() ?? text(from: index + 1)
    }

    /// Drops everything up to the end tag of `name`, which is the one of an element just begun.
    /// - Returns: false where no such tag comes; then nothing is dropped.
    @discardableResult
    mutating func skipElement(_ name: HTMLName) -> Bool {
        guard !unended.contains(name) else { return false }
        let start = index
        while let token = next() {
            if case .tag(let tag) = token, tag.isEnd, tag.name == name { return true }
        }
        index = start
        unended.append(name)
        return false
    }

    mutating func skipRest() {
        index = source.count
    }

    /// - Parameter start: from where on a `<` ends the text.
    private mutating func text(from start: Int) -> Token {
        let end = ByteScan.firstIndex(of: UInt8(ascii: "<"), in: source, from: start)
        defer { index = end }
        return .text(slice(index..<end))
    }

    private mutating func hidden() -> Token? {
        guard index + 1 < source.count,
            source[index + 1] == UInt8(ascii: "!") || source[index + 1] == UInt8(ascii: "?")
        else { return nil }
        let isComment = source[index...].starts(with: "<!--".utf8)
        var end = index + (isComment ? 4 : 2)
        while end < source.count {
            end = ByteScan.firstIndex(of: UInt8(ascii: ">"), in: source, from: end) + 1
            let dashes = source[..<Swift.min(end - 1, source.count)].suffix(2)
            if !isComment || dashes.elementsEqual("--".utf8) { break }
        }
        index = Swift.min(end, source.count)
        return .hidden
    }

    private mutating func tag() -> Token? {
        var start = index + 1
        let isEnd = start < source.count && source[start] == UInt8(ascii: "/")
        if isEnd { start += 1 }
        var nameEnd = start
        while nameEnd < source.count, ASCII.isLetterOrDigit(source[nameEnd]) { nameEnd += 1 }
        guard nameEnd > start, ASCII.isLetter(source[start]), nameEnd < source.count, Self.endsName(source[nameEnd]),
            let end = end(of: nameEnd)
        else { return nil }
        defer { index = end + 1 }
        return .tag(
            Tag(
                name: HTMLName(slice(start..<nameEnd)), isEnd: isEnd, attributes: slice(nameEnd..<end),
                source: slice(index..<(end + 1))))
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        ASCII.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    /// - Returns: the index of the `>` that ends the tag.
    private func end(of start: Int) -> Int? {
        let limit = Swift.min(source.count, start + Self.longestTag)
        if let end = TagScanner.plainEnd(slice(0..<limit), from: start) { return end }
        var scanner = TagScanner()
        for index in start..<limit {
            switch scanner.take(source[index], at: index) {
            case .inside: continue
            case .ended: return index
            case .endedBefore(let end): return end
            case .broken: return nil
            }
        }
        return nil
    }

    private func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: source[range])
    }
}
