// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a document that begins as JSON, as it arrives.
struct JSONFeedReader {
    private enum State {
        /// Nothing but white space so far.
        case awaited
        case reading
        /// Something else, which is not for this reader.
        case declined
    }

    private var state: State = .awaited
    private var scanner: JSONScanner
    private var builder: JSONFeedBuilder
    /// What was read; there when the document is over.
    private(set) var feed: ParsedFeed?

    init(baseURL: String?, limits: FeedLimits) {
        scanner = JSONScanner(limits: limits)
        builder = JSONFeedBuilder(baseURL: baseURL, limits: limits)
    }

    var isReading: Bool { if case .reading = state { true } else { false } }

    /// - Parameter text: UTF-8 without control characters.
    /// - Returns: whether the document is JSON: then nobody else need read it.
    mutating func append(_ text: [UInt8]) -> Bool {
        if case .awaited = state, let first = text.first(where: { !ASCII.isSpace($0) && !Self.mark.contains($0) }) {
            state = first == UInt8(ascii: "{") ? .reading : .declined
        }
        guard isReading else { return false }
        text.withUnsafeBufferPointer { text in scanner.append(text) { builder.take($0) } }
        return true
    }

    /// - Returns: whether the document had ended by itself.
    /// - Throws: `FeedError` where it was JSON of another kind.
    mutating func finish() throws(FeedError) -> Bool {
        let isWhole = scanner.isOver
        scanner.finish { builder.take($0) }
        guard let feed = builder.finish() else { throw .notAFeed(.otherJSON) }
        self.feed = feed
        return isWhole
    }

    mutating func takeEpisodes() -> [ParsedEpisode] {
        builder.takeEpisodes()
    }

    /// A byte order mark that somebody put in the middle of a text.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
