// SPDX-License-Identifier: GPL-3.0-or-later

/// Text that may be HTML, cut into words and tags. Never fails: what is no tag is text.
struct HTMLTokenizer: Sequence, IteratorProtocol {
    enum Token {
        case text(ArraySlice<UInt8>)
        case tag(Tag)
        /// A comment or declaration.
        case hidden
    }

    struct Tag {
        /// In lower case.
        let name: String
        let isEnd: Bool
        /// What follows the name.
        let attributes: ArraySlice<UInt8>
        /// The whole tag as it stands.
        let source: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) {
        rest = text[...]
    }

    mutating func next() -> Token? {
        guard let first = rest.first else { return nil }
        guard first == UInt8(ascii: "<") else { return text(rest.prefix { $0 != UInt8(ascii: "<") }) }
        return hidden() ?? tag() ?? text(rest[..<(rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex)])
    }

    /// Drops everything up to the end tag of `name`, which is the one of an element just begun.
    mutating func skipElement(_ name: String) {
        while let token = next() {
            if case .tag(let tag) = token, tag.isEnd, tag.name == name { return }
        }
    }

    private mutating func text(_ text: ArraySlice<UInt8>) -> Token {
        rest = rest[text.endIndex...]
        return .text(text)
    }

    private mutating func hidden() -> Token? {
        guard let second = rest.dropFirst().first, second == UInt8(ascii: "!") || second == UInt8(ascii: "?") else {
            return nil
        }
        let isComment = rest.starts(with: "<!--".utf8)
        var end = rest.startIndex + (isComment ? 4 : 2)
        while end < rest.endIndex {
            defer { end += 1 }
            guard rest[end] == UInt8(ascii: ">") else { continue }
            if !isComment || rest[..<end].suffix(2).elementsEqual("--".utf8) { break }
        }
        rest = rest[Swift.min(end, rest.endIndex)...]
        return .hidden
    }

    private mutating func tag() -> Token? {
        var body = rest.dropFirst()
        let isEnd = body.first == UInt8(ascii: "/")
        if isEnd { body = body.dropFirst() }
        let name = body.prefix(while: ASCII.isLetterOrDigit)
        guard let letter = name.first, ASCII.isLetter(letter), let end = end(of: body[name.endIndex...]) else {
            return nil
        }
        if let next = body[name.endIndex...].first, !ASCII.isSpace(next), next != UInt8(ascii: "/"),
            next != UInt8(ascii: ">")
        {
            return nil
        }
        let source = rest[...end]
        rest = rest[(end + 1)...]
        return .tag(
            Tag(name: ASCII.lowercasedString(name), isEnd: isEnd, attributes: body[name.endIndex..<end], source: source)
        )
    }

    /// - Returns: the index of the `>` that ends the tag. A tag of more than 16 KiB is none.
    private func end(of body: ArraySlice<UInt8>) -> Int? {
        var scanner = TagScanner()
        for (index, byte) in zip(body.indices, body.prefix(16 << 10)) {
            switch scanner.take(byte, at: index) {
            case .inside: continue
            case .ended: return index
            case .endedBefore(let end): return end
            case .broken: return nil
            }
        }
        return nil
    }
}
