// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Builds the chapters of a JSON document from its tokens.
struct ChaptersBuilder {
    /// The meaning of an open object or array.
    private enum Context {
        case document, list, chapter, other
    }

    private let baseURL: String?
    private var contexts: [Context] = []
    /// The name of the next value; empty in an array.
    private var name = ""
    /// The fields of the open chapter.
    private var start: Duration?
    private var chapter = Chapter(start: .zero)
    private(set) var chapters: [Chapter] = []
    /// True if the document contains a list of chapters, which may be empty.
    private(set) var hasList = false

    /// In seconds.
    private static let latest = 1e7

    init(baseURL: String?) { self.baseURL = baseURL }

    mutating func handle(_ token: JSONScanner.Token) {
        switch token {
        case .name(let bytes): name = bytes.count <= 32 ? ASCII.lowercasedString(bytes) : ""
        case .objectBegan: open(isObject: true)
        case .arrayBegan: open(isObject: false)
        case .objectEnded, .arrayEnded: close()
        case .string(let text): set(text)
        case .literal(let text): if !ASCII.equalsIgnoringCase(text, "null") { set(text) }
        }
    }

    private mutating func open(isObject: Bool) {
        switch (contexts.last, isObject) {
        case (nil, true): contexts.append(.document)
        case (nil, false): contexts.append(.list)
        case (.document, false) where name == "chapters": contexts.append(.list)
        case (.list, true):
            contexts.append(.chapter)
            (start, chapter) = (nil, Chapter(start: .zero))
        default: contexts.append(.other)
        }
        if contexts.last == .list { hasList = true }
        name = ""
    }

    private mutating func close() {
        name = ""
        guard contexts.popLast() == .chapter, let start, chapters.count < ChapterList.mostChapters else { return }
        chapter.start = start
        chapters.append(chapter)
    }

    private mutating func set(_ text: [UInt8]) {
        defer { name = "" }
        guard contexts.last == .chapter else { return }
        switch name {
        case "starttime": start = Self.time(text)
        case "endtime": chapter.end = Self.time(text)
        case "title": chapter.title = PlainText.line(text)
        case "url": chapter.url = WebURL.resolve(text, base: baseURL)
        case "img": chapter.image = WebURL.resolve(text, base: baseURL).map { .url($0) }
        case "toc": chapter.isInTableOfContents = !ASCII.equalsIgnoringCase(text, "false")
        default: break
        }
    }

    /// Parses seconds, or hours, minutes and seconds in a string.
    private static func time(_ text: [UInt8]) -> Duration? {
        guard let seconds = Double(String(decoding: text, as: UTF8.self)) else {
            return ItunesDuration.parsePosition(text)
        }
        return 0...latest ~= seconds ? .milliseconds(Int64((seconds * 1000).rounded())) : nil
    }
}
