// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Reads transcripts in HTML: paragraphs, each with a speaker and a time before it if the publisher wrote them as
/// `cite` and `time`.
///
/// Source: the podcast namespace, transcript file format details, HTML.
struct TranscriptHTMLReader {
    private enum Field {
        case paragraph, speaker, time
    }

    private var field: Field = .paragraph
    private var words = PlainWords()
    /// The words of the open `cite` or `time`.
    private var value = PlainWords()
    private var speaker: String?
    private var time: Range<Duration>?
    private var draft: TranscriptDraft

    static func read(_ source: UnsafeBufferPointer<UInt8>, into draft: inout TranscriptDraft) {
        var reader = TranscriptHTMLReader(draft: draft)
        var tokens = HTMLTokenizer(source)
        while !reader.draft.isOverfull, let token = tokens.next() {
            switch token {
            case .text(let text): reader.append(text)
            case .hidden: break
            case .tag(let tag):
                reader.handle(tag)
                if Self.isWithoutCues(tag.name), !tag.isEnd { tokens.skipElement(tag.name) }
            }
        }
        reader.endField()
        reader.endParagraph()
        draft = reader.draft
    }

    private init(draft: TranscriptDraft) { self.draft = draft }

    /// True for content that is not for display, links to other pages and menus. The headers and footers of a page are
    /// kept, because those of a paragraph have its speaker; forms and buttons as well, because they can contain cues.
    private static func isWithoutCues(_ name: HTMLName) -> Bool {
        name == "nav" || name == "select" || HTMLElement.kind(of: name) == .hidden
    }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        if field == .paragraph { words.append(html: text) } else { value.append(html: text) }
    }

    private mutating func handle(_ tag: HTMLTokenizer.Tag) {
        switch tag.name {
        case "cite" where !tag.isEnd: begin(.speaker)
        case "time" where !tag.isEnd: begin(.time)
        case "cite", "time": endField()
        case "html" where !tag.isEnd: readLanguage(tag)
        default:
            guard HTMLElement.kind(of: tag.name) == .block else { return endWord(tag) }
            endField()
            endParagraph()
        }
    }

    private mutating func endWord(_ tag: HTMLTokenizer.Tag) {
        guard HTMLElement.kind(of: tag.name) != .inline else { return }
        words.endWord()
        value.endWord()
    }

    /// Begins a field, but only before the words of a paragraph: within them, `cite` is the title of a work.
    private mutating func begin(_ field: Field) {
        endField()
        if words.isEmpty { self.field = field }
    }

    private mutating func endField() {
        switch field {
        case .paragraph: return
        case .speaker where value.bytes.count <= Self.longestName: speaker = Self.name(value.bytes)
        case .speaker: appendValue()
        case .time:
            let parsed = CaptionTime.position(Self.inside(value.bytes, "[]()"))
            if let parsed { time = parsed..<parsed } else { appendValue() }
        }
        value.removeAll()
        field = .paragraph
    }

    /// The size of a name; a longer one is the text of a `cite` that never ends.
    private static let longestName = TranscriptLimits().speakerBytes

    /// Appends a `cite` that is not a name, or a `time` that is not a position, to the paragraph.
    private mutating func appendValue() {
        words.endWord()
        value.bytes.withUnsafeBufferPointer { words.append($0) }
        words.endWord()
    }

    private mutating func endParagraph() {
        draft.append(time, speaker: speaker, words)
        // The next paragraph has the same speaker, and follows without a time of its own.
        if !words.isEmpty { time = nil }
        words.removeAll()
    }

    private static func name(_ bytes: [UInt8]) -> String? {
        let name = inside(bytes, "[]():- ")
        return name.isEmpty ? nil : String(text: name)
    }

    /// Returns the bytes without the marks around them.
    private static func inside(_ bytes: [UInt8], _ marks: StaticString) -> [UInt8] {
        let isMark: (UInt8) -> Bool = { byte in marks.withUTF8Buffer { $0.contains(byte) } }
        guard let first = bytes.firstIndex(where: { !isMark($0) }), let last = bytes.lastIndex(where: { !isMark($0) })
        else { return [] }
        return Array(bytes[first...last])
    }

    private mutating func readLanguage(_ tag: HTMLTokenizer.Tag) {
        let name: HTMLName = "lang"
        guard let language = AttributeScanner(tag.attributes).prefix(64).first(where: { HTMLName($0.name) == name })
        else { return }
        draft.offer(language: language.decodedValue)
    }
}
