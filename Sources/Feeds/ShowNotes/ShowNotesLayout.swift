// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Lays out HTML as lines of text.
struct ShowNotesLayout {
    private struct List {
        /// The number of the next item; `nil` for bullets.
        var number: Int?
    }

    private let links: ShowNotesText.Links
    private var wrapper: LineWrapper
    private var words = PlainWords()
    private var lists: [List] = []
    private var quotations = 0
    private var headingDepth = 0
    private var preformatted = 0
    /// True if no tag breaks a line, so that the line breaks of the text do.
    private var keepsLineBreaks = false
    /// The prefix of the next paragraph's first line.
    private var bullet = ""
    private var wantsEmptyLine = false
    /// The URLs of the open links, with the start of their text in `words`.
    private var openLinks: [(address: String?, start: Int)] = []
    private var footnotes: [String] = []
    private let width: Int
    /// The deepest nesting that is indented.
    private static let deepest = 8

    init(width: Int, links: ShowNotesText.Links) {
        self.width = max(1, width)
        self.links = links
        wrapper = LineWrapper(width: width)
    }

    mutating func read(_ html: UnsafeBufferPointer<UInt8>) {
        keepsLineBreaks = !Self.breaksLines(html)
        var tokens = HTMLTokenizer(html)
        while let token = tokens.next() {
            switch token {
            case .text(let text): layOut(text)
            case .hidden: break
            case .tag(let tag):
                if HTMLElement.kind(of: tag.name) == .hidden {
                    words.endWord()
                    if !tag.isEnd { tokens.skipElement(tag.name) }
                } else if tag.isEnd {
                    end(tag.name)
                } else {
                    begin(tag)
                }
            }
        }
    }

    mutating func finish() -> [String] {
        while !openLinks.isEmpty { endLink() }
        endParagraph()
        guard !footnotes.isEmpty else { return wrapper.lines }
        wrapper.append(line: "")
        for (index, address) in footnotes.enumerated() { wrapper.append(line: "[\(index + 1)] \(address)") }
        return wrapper.lines
    }

    /// Returns true if tags arrange the text. Publishers who write plain text expect that its lines stay.
    private static func breaksLines(_ html: UnsafeBufferPointer<UInt8>) -> Bool {
        HTMLTokenizer(html).contains { token in
            if case .tag(let tag) = token { HTMLElement.kind(of: tag.name) == .block } else { false }
        }
    }

    private mutating func layOut(_ text: UnsafeBufferPointer<UInt8>) {
        guard preformatted > 0 else { return keepsLineBreaks ? layOutLines(of: text) : words.append(html: text) }
        var decoded: [UInt8] = []
        CharacterReference.decode(text, into: &decoded)
        for (index, line) in decoded.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { endLine() }
            line.withUnsafeBufferPointer { keep($0) }
        }
    }

    private mutating func layOutLines(of text: UnsafeBufferPointer<UInt8>) {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { endParagraph() }
            let isBetween = index > 0 && index < lines.count - 1
            if isBetween, line.allSatisfy(ASCII.isSpace) { wantsEmptyLine = true }
            words.append(html: UnsafeBufferPointer(rebasing: line))
        }
    }

    /// Appends a line of preformatted text, which keeps its leading spaces.
    private mutating func keep(_ line: UnsafeBufferPointer<UInt8>) {
        for piece in line.split(separator: 0x20, omittingEmptySubsequences: false) {
            var kept = PlainWords()
            kept.append(UnsafeBufferPointer(rebasing: piece))
            preformattedLine += preformattedLine.isEmpty && kept.isEmpty ? [0x20] : kept.bytes + [0x20]
        }
        if preformattedLine.last == 0x20 { preformattedLine.removeLast() }
    }

    private var preformattedLine: [UInt8] = []

    private mutating func endLine() {
        wrapper.append(line: prefixes.rest + String(decoding: preformattedLine, as: UTF8.self))
        preformattedLine = []
    }
}

extension ShowNotesLayout {
    private mutating func begin(_ tag: HTMLTokenizer.Tag) {
        switch tag.name {
        case "a": beginLink(tag)
        case "img": image(tag)
        case "br": endParagraph()
        case "hr": rule()
        case "li": item()
        case "ul", "menu": list(List(number: nil))
        case "ol": list(List(number: Self.value("start", of: tag).flatMap { Int($0) } ?? 1))
        case "blockquote": block { $0.quotations = min($0.quotations + 1, Self.deepest) }
        case "pre": block { $0.preformatted += 1 }
        case "h1", "h2", "h3", "h4", "h5", "h6": block { $0.headingDepth += 1 }
        case "td", "th": words.endWord()
        case "p", "table", "dl", "section", "article", "figure": block { _ in }
        default: if HTMLElement.kind(of: tag.name) != .inline { endParagraph() }
        }
    }

    private mutating func end(_ name: HTMLName) {
        switch name {
        case "a": endLink()
        case "ul", "ol", "menu": block { _ = $0.lists.popLast() }
        case "blockquote": block { $0.quotations = max(0, $0.quotations - 1) }
        case "pre": endPreformatted()
        case "h1", "h2", "h3", "h4", "h5", "h6": endHeading()
        case "p", "table", "dl", "section", "article", "figure": block { _ in }
        case "td", "th": words.endWord()
        default: if HTMLElement.kind(of: name) != .inline { endParagraph() }
        }
    }

    /// Ends the paragraph and changes the state. Adds an empty line, except inside a list.
    private mutating func block(_ change: (inout ShowNotesLayout) -> Void) {
        endParagraph()
        let wasInList = !lists.isEmpty
        change(&self)
        if !wasInList || lists.isEmpty { wantsEmptyLine = true }
    }

    private mutating func endParagraph() {
        guard !words.isEmpty else { return }
        beginLines()
        let (first, rest) = prefixes
        wrapper.wrap(words.bytes, first: first, rest: rest)
        bullet = ""
        words.removeAll()
    }

    private mutating func beginLines() {
        if wantsEmptyLine, !wrapper.lines.isEmpty { wrapper.append(line: "") }
        wantsEmptyLine = false
    }

    private var prefixes: (first: String, rest: String) {
        let bars = String(repeating: "> ", count: quotations)
        let depth = min(lists.count, Self.deepest)
        guard depth > 0 else { return (bars, bars) }
        let marked = lists[depth - 1].number != nil ? 3 : 2
        let outer = String(repeating: "  ", count: depth - 1)
        let rest = bars + outer + String(repeating: " ", count: max(marked, bullet.unicodeScalars.count))
        return (bullet.isEmpty ? rest : bars + outer + bullet, rest)
    }

    private mutating func list(_ list: List) {
        let isInner = !lists.isEmpty
        endParagraph()
        lists.append(list)
        if !isInner { wantsEmptyLine = true }
    }

    private mutating func item() {
        endParagraph()
        if lists.isEmpty { lists.append(List(number: nil)) }
        let last = lists.count - 1
        bullet = lists[last].number.map { "\($0). " } ?? "\u{2022} "
        lists[last].number = lists[last].number.map { $0 &+ 1 }
    }

    private mutating func rule() {
        endParagraph()
        wantsEmptyLine = true
        beginLines()
        wrapper.append(line: String(repeating: "-", count: min(width, 20)))
        wantsEmptyLine = true
    }

    /// Ends a heading and underlines it.
    private mutating func endHeading() {
        let columns = min(width, String(decoding: words.bytes, as: UTF8.self).terminalColumns)
        endParagraph()
        if headingDepth > 0, columns > 0 {
            wrapper.append(line: prefixes.rest + String(repeating: "-", count: columns))
        }
        headingDepth = max(0, headingDepth - 1)
        wantsEmptyLine = true
    }

    private mutating func endPreformatted() {
        if !preformattedLine.isEmpty { endLine() }
        preformatted = max(0, preformatted - 1)
        wantsEmptyLine = true
    }

    private mutating func image(_ tag: HTMLTokenizer.Tag) {
        guard let text = Self.value("alt", of: tag).flatMap({ PlainText.line(Array($0.utf8)) }) else { return }
        append(" [\(text)] ")
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { words.append($0) }
    }

    private static func value(_ name: HTMLName, of tag: HTMLTokenizer.Tag) -> String? {
        AttributeScanner(tag.attributes).prefix(16).first { HTMLName($0.name) == name }
            .map { String(decoding: $0.decodedValue, as: UTF8.self) }
    }
}

extension ShowNotesLayout {
    private mutating func beginLink(_ tag: HTMLTokenizer.Tag) {
        endLink()
        let address = Self.value("href", of: tag).flatMap { WebURL.resolve($0, base: nil) }
        openLinks.append((address, words.bytes.count))
    }

    private mutating func endLink() {
        guard let (address, start) = openLinks.popLast(), let address, links != .none else { return }
        guard !Self.says(ASCII.trimmed(words.bytes.dropFirst(start)), address) else { return }
        words.endWord()
        if links == .inline {
            append("<\(address)>")
        } else {
            append("[\(number(of: address))]")
        }
    }

    /// Returns true if the words are the URL itself, possibly without its scheme.
    private static func says(_ words: ArraySlice<UInt8>, _ address: String) -> Bool {
        guard words.contains(UInt8(ascii: ".")), !words.contains(0x20) else { return false }
        let text = String(decoding: words, as: UTF8.self)
        return NormalizedURL(text).withoutScheme == NormalizedURL(address).withoutScheme
    }

    private mutating func number(of address: String) -> Int {
        if let index = footnotes.firstIndex(of: address) { return index + 1 }
        footnotes.append(address)
        return footnotes.count
    }
}
