// SPDX-License-Identifier: GPL-3.0-or-later

/// Splits text that may be HTML into text and tags. Never fails: malformed tags are text.
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
        /// The bytes after the name.
        let attributes: UnsafeBufferPointer<UInt8>
        /// The whole tag as written.
        let source: UnsafeBufferPointer<UInt8>

        /// True if the tag contains no capital letter.
        var isLowercase: Bool { source.allSatisfy { !(0x41...0x5A).contains($0) } }
    }

    private let source: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// Elements for which a search found no end tag, to avoid repeating the search.
    private var unended: [HTMLName] = []
    /// For each mark, the index from which a search did not find it, to avoid repeating the search.
    private var missing: [[UInt8]: Int] = [:]
    /// The index of the `]]>` of the last CDATA section.
    private var sectionEnd: Int?
    /// The maximum length of a tag; anything longer is text.
    private static let longestTag = 16 << 10

    /// - Parameter source: it must outlive the tokenizer and its tokens.
    init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
    }

    mutating func next() -> Token? {
        if index == sectionEnd { index += Mark.sectionEnd.count }
        guard index < source.count else { return nil }
        guard source[index] == UInt8(ascii: "<") else { return text(from: index) }
        return hidden() ?? tag() ?? text(from: index + 1)
    }

    /// Skips everything up to the end tag of the element `name`, which has just begun.
    ///
    /// - Returns: false if the end tag is missing; then nothing is skipped.
    @discardableResult
    mutating func skipElement(_ name: HTMLName) -> Bool {
        guard !unended.contains(name) else { return false }
        let (start, sectionEnd) = (index, self.sectionEnd)
        var depth = 1
        while let token = next() {
            guard case .tag(let tag) = token, tag.name == name else { continue }
            // Menus can be nested, but the text of a script may mention its own tag.
            if tag.isEnd { depth -= 1 } else if name == "nav" { depth += 1 }
            if depth == 0 { return true }
        }
        (index, self.sectionEnd) = (start, sectionEnd)
        unended.append(name)
        return false
    }

    mutating func skipRest() {
        index = source.count
    }

    /// - Parameter start: the index from which a `<` ends the text.
    private mutating func text(from start: Int) -> Token {
        var end = ByteScan.firstIndex(of: UInt8(ascii: "<"), in: source, from: start)
        if let sectionEnd, start <= sectionEnd { end = Swift.min(end, sectionEnd) }
        defer { index = end }
        return .text(slice(index..<end))
    }

    /// Skips a comment, a declaration, or the start of an escaped CDATA section. A declaration without an end is
    /// text, because losing words is worse than showing markup.
    private mutating func hidden() -> Token? {
        let rest = source[index...]
        guard let kind = rest.dropFirst().first, kind == UInt8(ascii: "!") || kind == UInt8(ascii: "?") else {
            return nil
        }
        if rest.starts(with: Mark.section) { return section() }
        if rest.starts(with: Mark.comment) { return comment() }
        guard let letter = rest.dropFirst(2).first, ASCII.isLetter(letter),
            let end = indexBehind(Mark.end, from: index + 2)
        else { return nil }
        index = end
        return .hidden
    }

    /// Skips a comment. A comment without an end may have been meant to end at a `>`; otherwise only its start is
    /// hidden.
    private mutating func comment() -> Token {
        if let end = indexBehind(Mark.commentEnd, from: index + 2) {
            index = end
        } else {
            index += Mark.comment.count
            let end = ByteScan.firstIndex(of: UInt8(ascii: "<"), or: UInt8(ascii: ">"), in: source, from: index)
            if end < source.count, source[end] == UInt8(ascii: ">") { index = end + 1 }
        }
        return .hidden
    }

    private mutating func section() -> Token {
        index += Mark.section.count
        if sectionEnd.map({ $0 < index }) ?? true {
            sectionEnd = indexBehind(Mark.sectionEnd, from: index).map { $0 - Mark.sectionEnd.count }
        }
        return .hidden
    }

    /// - Returns: `nil` if `mark` does not occur from `start` on.
    private mutating func indexBehind(_ mark: [UInt8], from start: Int) -> Int? {
        if let none = missing[mark], none <= start { return nil }
        var index = start
        while index < source.count {
            index = ByteScan.firstIndex(of: mark[0], in: source, from: index)
            if source[index...].starts(with: mark) { return index + mark.count }
            index += 1
        }
        missing[mark] = start
        return nil
    }

    private mutating func tag() -> Token? {
        var start = index + 1
        let isEnd = start < source.count && source[start] == UInt8(ascii: "/")
        if isEnd { start += 1 }
        var nameEnd = start
        while isNameByte(at: nameEnd) { nameEnd += 1 }
        guard nameEnd > start, ASCII.isLetter(source[start]), nameEnd < source.count, Self.endsName(source[nameEnd]),
            let end = end(of: nameEnd)
        else { return nil }
        defer { index = end + 1 }
        return .tag(
            Tag(
                name: HTMLName(slice(start..<nameEnd)), isEnd: isEnd, attributes: slice(nameEnd..<end),
                source: slice(index..<(end + 1))))
    }

    /// Returns true for a byte of an element name. Office programs write prefixed elements, and custom elements
    /// contain hyphens; a URL in angle brackets is not an element.
    private func isNameByte(at index: Int) -> Bool {
        guard index < source.count else { return false }
        switch source[index] {
        case UInt8(ascii: ":"): return index + 1 < source.count && ASCII.isLetter(source[index + 1])
        case UInt8(ascii: "-"): return true
        default: return ASCII.isLetterOrDigit(source[index])
        }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        ASCII.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    /// - Returns: the index of the `>` that ends the tag.
    private func end(of start: Int) -> Int? {
        if source[start] == UInt8(ascii: ">") { return start }
        let limit = Swift.min(source.count, start + Self.longestTag)
        if let end = TagScanner.plainEnd(slice(0..<limit), from: start) { return end }
        var scanner = TagScanner()
        for index in start..<limit {
            switch scanner.consume(source[index], at: index) {
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

/// The start and end marks of content that is not for display.
private enum Mark {
    static let comment = Array("<!--".utf8)
    static let commentEnd = Array("-->".utf8)
    static let section = Array("<![CDATA[".utf8)
    static let sectionEnd = Array("]]>".utf8)
    static let end = Array(">".utf8)
}
