// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a feed as its bytes arrive. The result does not depend on how they are cut.
///
/// Not thread-safe: one parser is used by one task at a time.
public final class FeedParser {
    private enum State {
        case reading
        case failed(FeedError)
        case finished
    }

    private let limits: FeedLimits
    private var state: State = .reading
    private var byteCount = 0
    private var decoder: TextDecoder
    private var text: [UInt8] = []
    private var json: JSONFeedReader
    private var reader: MarkupReader<FeedAssembler>
    /// What the decoder noted, and the others: how they take turns depends on the cuts.
    private let decoderLog: RepairLog
    private let log: RepairLog

    /// - Parameters:
    ///   - baseURL: where the feed came from after redirects; relative references are resolved against it.
    ///   - contentType: the HTTP header it came with, for its charset.
    ///   - repairs: of how many kinds of repair the feed is to tell; a file without faults costs nothing more.
    public convenience init(baseURL: String?, contentType: String? = nil, repairs: Int = 0) {
        var limits = FeedLimits()
        limits.repairs = repairs
        self.init(baseURL: baseURL, contentType: contentType, limits: limits)
    }

    init(baseURL: String?, contentType: String?, limits: FeedLimits) {
        self.limits = limits
        log = RepairLog(limit: limits.repairs)
        decoderLog = RepairLog(limit: limits.repairs)
        decoder = TextDecoder(contentType: contentType, log: decoderLog)
        let baseURL = baseURL.flatMap(WebURL.base)
        json = JSONFeedReader(baseURL: baseURL, limits: limits)
        let assembler = FeedAssembler(baseURL: baseURL, limits: limits, log: log)
        reader = MarkupReader(receiver: assembler, roots: ["rss", "feed", "rdf"], limits: limits, log: log)
    }

    /// Reads the next bytes of the document, as many as there are.
    /// - Throws: `FeedError` as soon as it is certain that this is no feed; then again at each call.
    public func consume(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        guard case .reading = state else { return try rethrow() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let slice = rest.prefix(Self.sliceLength)
            rest = rest.dropFirst(slice.count)
            try remembering { () throws(FeedError) in try read(UnsafeRawBufferPointer(rebasing: slice)) }
        }
    }

    /// The document is over.
    /// - Returns: the feed, with the episodes that were not taken before.
    /// - Throws: `FeedError` where nothing of use was in it.
    public func finish() throws(FeedError) -> ParsedFeed {
        guard case .reading = state else {
            try rethrow()
            throw .malformed(reason: "it was finished before", line: reader.line)
        }
        var isWhole = false
        try remembering { () throws(FeedError) in isWhole = try close() }
        guard var feed = json.feed ?? reader.receiver.finish(isWhole: isWhole) else {
            throw .malformed(reason: "it has no channel", line: reader.line)
        }
        state = .finished
        feed.isTruncated = feed.isTruncated || !isWhole
        feed.repairs = log.repairs(with: decoderLog)
        return feed
    }

    /// The episodes that are complete and were not taken yet, in document order. Whoever takes them after each call of
    /// `consume` keeps memory flat.
    public func takeEpisodes() -> [ParsedEpisode] {
        json.isReading ? json.takeEpisodes() : reader.receiver.takeEpisodes()
    }

    /// Bounds the copies made on the way.
    private static let sliceLength = 32 << 10
}

extension FeedParser {
    /// Reads a whole document.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, baseURL: String?, contentType: String? = nil
    ) throws(FeedError) -> ParsedFeed {
        let parser = FeedParser(baseURL: baseURL, contentType: contentType)
        try parser.consume(bytes)
        return try parser.finish()
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        byteCount += bytes.count
        guard byteCount <= limits.totalBytes else { throw .tooLarge(limit: limits.totalBytes) }
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        try readText()
    }

    /// - Returns: whether the document had ended by itself.
    private func close() throws(FeedError) -> Bool {
        decoder.finish(into: &text)
        try readText()
        return json.isReading ? try json.finish() : try reader.finish()
    }

    private func readText() throws(FeedError) {
        defer { text.removeAll(keepingCapacity: true) }
        if json.append(text) { return }
        var failure: FeedError?
        text.withUnsafeBufferPointer { text in
            do throws(FeedError) { try reader.append(text) } catch { failure = error }
        }
        if let failure = failure ?? reader.receiver.failure { throw failure }
    }

    private func remembering(_ body: () throws(FeedError) -> Void) throws(FeedError) {
        do throws(FeedError) {
            try body()
        } catch {
            state = .failed(error)
            throw error
        }
    }

    private func rethrow() throws(FeedError) {
        if case .failed(let error) = state { throw error }
    }
}
