// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A podcast as a directory lists it.
public struct DirectoryEntry: Sendable, Equatable {
    public let title: String
    /// An absolute http or https URL.
    public let feedURL: String
    public let author: String?
    public let episodeCount: Int?

    public init(title: String, feedURL: String, author: String? = nil, episodeCount: Int? = nil) {
        (self.title, self.feedURL, self.author, self.episodeCount) = (title, feedURL, author, episodeCount)
    }
}

/// The answer of a directory to a search.
public struct DirectoryAnswer: Sendable, Equatable {
    /// In the order of the document.
    public let entries: [DirectoryEntry]
    /// True if the document has more entries.
    public let isCut: Bool
}

/// A reader of the JSON document with which a directory answers a search. Source: iTunes Search API, "Understanding
/// Search Results": `results` with `collectionName`, `feedUrl`, `artistName` and `trackCount`.
public enum DirectoryDocument {
    /// The largest accepted document in bytes.
    public static let longest = 4 << 20

    /// Parses a whole document. Entries without a title or a feed are left out, and so are repeated feeds.
    /// User names and passwords in addresses are removed: they are the listener's, not the directory's.
    /// - Returns: the first 500 entries; `nil` for a document of another kind or without its end.
    public static func parse(_ bytes: UnsafeRawBufferPointer) -> DirectoryAnswer? {
        var limits = FeedLimits()
        limits.textBytes = 64 << 10
        var decoder = TextDecoder(contentType: nil, log: RepairLog(limit: limits.repairs))
        var text: [UInt8] = []
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        decoder.finish(into: &text)
        var scanner = JSONScanner(limits: limits)
        var builder = DirectoryBuilder()
        text.withUnsafeBufferPointer { text in scanner.append(text) { builder.handle($0) } }
        guard builder.hasResults, builder.isClosed else { return nil }
        return DirectoryAnswer(entries: builder.entries, isCut: builder.isCut)
    }
}

/// Builds the entries of a directory's answer from its tokens.
private struct DirectoryBuilder {
    /// The meaning of an open object or array.
    private enum Context {
        case document, results, entry, other
    }

    private static let mostEntries = 500

    private var contexts: [Context] = []
    /// The name of the next value; empty in an array.
    private var name = ""
    private var values: [String: [UInt8]] = [:]
    private var known: Set<String> = []
    private(set) var entries: [DirectoryEntry] = []
    /// True if the document has more entries than the limit.
    private(set) var isCut = false
    /// True if the document has a list of results, which may be empty.
    private(set) var hasResults = false
    /// True after the end of the document.
    private(set) var isClosed = false

    mutating func handle(_ token: JSONScanner.Token) {
        switch token {
        case .name(let bytes): name = String(decoding: bytes.prefix(64), as: UTF8.self)
        case .objectBegan: open(isObject: true)
        case .arrayBegan: open(isObject: false)
        case .objectEnded, .arrayEnded: close()
        case .string(let text): set(text)
        case .literal(let text): if !ASCII.equalsIgnoringCase(text, "null") { set(text) }
        }
    }

    private mutating func set(_ text: [UInt8]) {
        if contexts.last == .entry { values[name] = text }
        name = ""
    }

    private mutating func open(isObject: Bool) {
        switch (contexts.last, isObject) {
        case (nil, true): contexts.append(.document)
        case (.document, false) where name == "results":
            contexts.append(.results)
            hasResults = true
        case (.results, true):
            contexts.append(.entry)
            values = [:]
        default: contexts.append(.other)
        }
        name = ""
    }

    private mutating func close() {
        name = ""
        let ended = contexts.popLast()
        if ended == .document { isClosed = true }
        guard ended == .entry, !isCut, let entry, !known.contains(entry.feedURL) else { return }
        isCut = entries.count >= Self.mostEntries
        guard !isCut else { return }
        known.insert(entry.feedURL)
        entries.append(entry)
    }

    private var entry: DirectoryEntry? {
        guard let title = values["collectionName"].flatMap(PlainText.line),
            let feed = values["feedUrl"].flatMap({ WebURL.resolve($0, base: nil) })
        else { return nil }
        let count = values["trackCount"].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return DirectoryEntry(
            title: title, feedURL: WebURL(feed).withoutUserInfo.text,
            author: values["artistName"].flatMap(PlainText.line), episodeCount: count.flatMap { $0 >= 0 ? $0 : nil })
    }
}
