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
    private var json: JSONFeedReader
    private var repair: MarkupRepair
    private let assembler: FeedAssembler
    private let xml: SAXParser?

    /// - Parameters:
    ///   - baseURL: where the feed came from after redirects; relative references are resolved against it.
    ///   - contentType: the HTTP header it came with, for its charset.
    public convenience init(baseURL: String?, contentType: String? = nil) {
        self.init(baseURL: baseURL, contentType: contentType, limits: FeedLimits())
    }

    init(baseURL: String?, contentType: String?, limits: FeedLimits) {
        self.limits = limits
        decoder = TextDecoder(contentType: contentType)
        let baseURL = baseURL.flatMap(WebURL.base)
        json = JSONFeedReader(baseURL: baseURL, limits: limits)
        repair = MarkupRepair(limits: limits)
        assembler = FeedAssembler(baseURL: baseURL, limits: limits)
        xml = SAXParser(receiver: assembler)
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
            throw .malformed(reason: "it was finished before", line: repair.line)
        }
        var isWhole = false
        try remembering { () throws(FeedError) in isWhole = try close() }
        guard var feed = json.feed ?? assembler.finish() else {
            throw .malformed(reason: stopReason ?? "it has no channel", line: repair.line)
        }
        state = .finished
        feed.isTruncated = !isWhole || stopReason != nil
        return feed
    }

    /// The episodes that are complete and were not taken yet, in document order. Whoever takes them after each call of
    /// `consume` keeps memory flat.
    public func takeEpisodes() -> [ParsedEpisode] {
        json.isReading ? json.takeEpisodes() : assembler.takeEpisodes()
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

    private var stopReason: String? {
        if case .stopped(let reason) = xml?.health { reason } else { nil }
    }

    private func read(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
        byteCount += bytes.count
        guard byteCount <= limits.totalBytes else { throw .tooLarge(limit: limits.totalBytes) }
        var text: [UInt8] = []
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        try repairAndParse(text)
    }

    /// - Returns: whether the document had ended by itself.
    private func close() throws(FeedError) -> Bool {
        var text: [UInt8] = []
        decoder.finish(into: &text)
        try repairAndParse(text)
        if json.isReading { return try json.finish() }
        let isWhole = try repair.finish()
        try parseRepaired()
        xml?.finish()
        return isWhole
    }

    private func repairAndParse(_ text: [UInt8]) throws(FeedError) {
        if json.append(text) { return }
        var failure: FeedError?
        text.withUnsafeBufferPointer { text in
            do throws(FeedError) { try repair.append(text) } catch { failure = error }
        }
        // What stands before a failure may be one itself: the first counts, as where the two come in different pieces.
        try parseRepaired()
        if let failure { throw failure }
    }

    private func parseRepaired() throws(FeedError) {
        guard let xml else { throw .malformed(reason: "out of memory", line: repair.line) }
        xml.parse(repair.output)
        repair.output.removeAll(keepingCapacity: true)
        if let failure = assembler.failure { throw failure }
        if xml.health == .entityDeclared { throw .entityDeclaration(line: repair.line) }
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
