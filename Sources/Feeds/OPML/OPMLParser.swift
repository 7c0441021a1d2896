// SPDX-License-Identifier: GPL-3.0-or-later

/// A push parser for OPML. The result does not depend on the chunking of the bytes.
///
/// Not thread-safe: only one task at a time may use a parser.
public final class OPMLParser {
    private static let limits: FeedLimits = {
        var limits = FeedLimits()
        limits.totalBytes = 16 << 20
        // Some programs never close their outlines, so that each is nested in the one before.
        limits.depth = 1_024
        return limits
    }()

    private var decoder: TextDecoder
    private let reader: MarkupReader<OPMLReceiver>
    private var text: [UInt8] = []
    private var byteCount = 0
    private var failure: OPMLError?

    /// - Parameter contentType: the HTTP header of the response, for its charset.
    public convenience init(contentType: String? = nil) {
        self.init(contentType: contentType, isStrictFirst: true)
    }

    /// - Parameter isStrictFirst: false to parse the whole document with `MarkupRepairer`, for comparisons.
    init(contentType: String?, isStrictFirst: Bool) {
        let log = RepairLog(limit: 0)
        decoder = TextDecoder(contentType: contentType, log: log)
        reader = MarkupReader(
            receiver: OPMLReceiver(), roots: ["opml", "oml", "body"], limits: Self.limits, log: log,
            isStrictFirst: isStrictFirst)
    }

    /// Parses the next bytes of the document.
    ///
    /// - Throws: `OPMLError` as soon as the document is known not to be OPML, and again on each later call.
    public func consume(_ bytes: UnsafeRawBufferPointer) throws(OPMLError) {
        byteCount += bytes.count
        guard byteCount <= Self.limits.totalBytes else { return try fail(.tooLarge(limit: Self.limits.totalBytes)) }
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        try readText()
    }

    /// Ends the document and returns the list.
    public func finish() throws(OPMLError) -> OPML {
        decoder.finish(into: &text)
        try readText()
        var isWhole = true
        do throws(FeedError) { isWhole = try reader.finish() } catch { try fail(OPMLError(error)) }
        var list = reader.withReceiver { $0.list }
        list.isTruncated = !isWhole
        return list
    }

    /// Parses a whole document.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, contentType: String? = nil
    ) throws(OPMLError) -> OPML {
        let parser = OPMLParser(contentType: contentType)
        try parser.consume(bytes)
        return try parser.finish()
    }

    private func readText() throws(OPMLError) {
        if let failure { throw failure }
        var found: FeedError?
        text.withUnsafeBufferPointer { text in
            do throws(FeedError) { try reader.append(text) } catch { found = error }
        }
        text.removeAll(keepingCapacity: true)
        if let found { try fail(OPMLError(found)) }
    }

    private func fail(_ error: OPMLError) throws(OPMLError) {
        failure = error
        throw error
    }
}
