// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A push parser for feeds. The result does not depend on the chunking of the bytes.
///
/// Not thread-safe: only one task at a time may use a parser.
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
    private let reader: MarkupReader<FeedAssembler>
    /// The repairs of the decoder. They are kept apart from the other repairs because the order in which the two
    /// stages run depends on the chunking.
    private let decoderLog: RepairLog
    private let log: RepairLog

    /// - Parameters:
    ///   - baseURL: the URL of the feed after redirects; relative references are resolved against it.
    ///   - contentType: the HTTP header of the response, for its charset.
    ///   - repairs: the maximum number of kinds of repair to report. A well-formed feed costs nothing extra.
    public convenience init(baseURL: String?, contentType: String? = nil, repairs: Int = 0) {
        var limits = FeedLimits()
        limits.repairs = repairs
        self.init(baseURL: baseURL, contentType: contentType, limits: limits)
    }

    /// - Parameter isStrictFirst: false to parse the whole document with `MarkupRepairer`, for comparisons.
    init(baseURL: String?, contentType: String?, limits: FeedLimits, isStrictFirst: Bool = true) {
        self.limits = limits
        log = RepairLog(limit: limits.repairs)
        decoderLog = RepairLog(limit: limits.repairs)
        decoder = TextDecoder(contentType: contentType, log: decoderLog)
        let baseURL = baseURL.flatMap(WebURL.base)
        json = JSONFeedReader(baseURL: baseURL, limits: limits)
        let assembler = FeedAssembler(baseURL: baseURL, limits: limits, log: log)
        reader = MarkupReader(
            receiver: assembler, roots: ["rss", "feed", "rdf"], limits: limits, log: log, isStrictFirst: isStrictFirst)
    }

    /// Parses the next bytes of the document, in chunks of any size.
    ///
    /// - Throws: `FeedError` as soon as the document is known not to be a feed, and again on each later call.
    public func consume(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        guard case .reading = state else { return try rethrow() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let slice = rest.prefix(Self.sliceLength)
            rest = rest.dropFirst(slice.count)
            try remembering { () throws(FeedError) in try read(UnsafeRawBufferPointer(rebasing: slice)) }
        }
    }

    /// Ends the document.
    ///
    /// - Returns: the feed, with the episodes that `removeEpisodes` has not returned yet.
    /// - Throws: `FeedError` if the document has no usable content.
    public func finish() throws(FeedError) -> ParsedFeed {
        guard case .reading = state else {
            try rethrow()
            throw .malformed(reason: "parsing has already finished", line: reader.line)
        }
        var isWhole = false
        try remembering { () throws(FeedError) in isWhole = try close() }
        guard var feed = json.feed ?? reader.withReceiver({ $0.finish(isWhole: isWhole) }) else {
            throw .malformed(reason: "it has no channel", line: reader.line)
        }
        state = .finished
        feed.isTruncated = feed.isTruncated || !isWhole
        feed.hasCutEpisode = reader.endsInsideItem
        feed.repairs = log.repairs(with: decoderLog)
        return feed
    }

    /// Returns the complete episodes that were not returned before, in document order. A caller that calls this after
    /// each `consume` keeps memory use constant.
    public func removeEpisodes() -> [ParsedEpisode] {
        json.isReading ? json.removeEpisodes() : reader.withReceiver { $0.removeEpisodes() }
    }

    /// The number of bytes parsed at a time; it bounds the size of the intermediate copies.
    private static let sliceLength = 32 << 10
}

extension FeedParser {
    /// Parses a whole document.
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

    /// - Returns: true if the document was complete.
    private func close() throws(FeedError) -> Bool {
        decoder.finish(into: &text)
        try readText()
        if json.isReading { return try json.finish() }
        let isWhole = try reader.finish()
        try checkRoot()
        return isWhole
    }

    private func checkRoot() throws(FeedError) {
        if let failure = reader.withReceiver({ $0.failure }) { throw failure }
    }

    private func readText() throws(FeedError) {
        defer { text.removeAll(keepingCapacity: true) }
        if json.append(text) { return }
        var failure: FeedError?
        text.withUnsafeBufferPointer { text in
            do throws(FeedError) { try reader.append(text) } catch { failure = error }
        }
        if let failure { throw failure }
        try checkRoot()
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
