// SPDX-License-Identifier: GPL-3.0-or-later

/// A push reader for documents that begin as JSON.
struct JSONFeedReader {
    private enum State {
        /// Only white space so far.
        case awaited
        case reading
        /// Another format, which this reader ignores.
        case declined
    }

    private var state: State = .awaited
    private var scanner: JSONScanner
    private var builder: JSONFeedBuilder
    /// The parsed feed; available after the end of the document.
    private(set) var feed: ParsedFeed?

    init(baseURL: String?, limits: FeedLimits) {
        scanner = JSONScanner(limits: limits)
        builder = JSONFeedBuilder(baseURL: baseURL, limits: limits)
    }

    var isReading: Bool { if case .reading = state { true } else { false } }

    /// - Parameter text: UTF-8 without control characters.
    /// - Returns: true if the document is JSON; no other reader needs the text then.
    mutating func append(_ text: [UInt8]) -> Bool {
        if case .awaited = state, let first = text.first(where: { !ASCII.isSpace($0) && !Self.mark.contains($0) }) {
            state = first == UInt8(ascii: "{") ? .reading : .declined
        }
        guard isReading else { return false }
        text.withUnsafeBufferPointer { text in scanner.append(text) { builder.handle($0) } }
        return true
    }

    /// - Returns: true if the document was complete.
    /// - Throws: `FeedError` if the document is JSON of another format.
    mutating func finish() throws(FeedError) -> Bool {
        let isWhole = scanner.isOver
        scanner.finish { builder.handle($0) }
        guard let feed = builder.finish() else { throw .notAFeed(.otherJSON) }
        self.feed = feed
        return isWhole
    }

    mutating func removeEpisodes() -> [ParsedEpisode] {
        builder.removeEpisodes()
    }

    /// The bytes of a misplaced byte order mark.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
