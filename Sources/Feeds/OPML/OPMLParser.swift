// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads OPML as its bytes arrive; the result does not depend on how they are cut.
///
/// Not thread-safe: one parser is used by one task at a time.
public final class OPMLParser {
    private static let limits: FeedLimits = {
        var limits = FeedLimits()
        limits.totalBytes = 16 << 20
        // Some programs never end their outlines: then each stands in the one before.
        limits.depth = 1_024
        return limits
    }()

    private var decoder: TextDecoder
    private var reader: MarkupReader<OPMLReceiver>
    private var text: [UInt8] = []
    private var byteCount = 0
    private var failure: OPMLError?

    /// - Parameter contentType: the HTTP header the list came with, for its charset.
    public init(contentType: String? = nil) {
        let log = RepairLog(limit: 0)
        decoder = TextDecoder(contentType: contentType, log: log)
        reader = MarkupReader(
            receiver: OPMLReceiver(), roots: ["opml", "oml", "body"], limits: Self.limits, log: log)
    }

    /// - Throws: `OPMLError` as soon as it is certain that this is no OPML; then again at each call.
    public func consume(_ bytes: UnsafeRawBufferPointer) throws(OPMLError) {
        byteCount += bytes.count
        guard byteCount <= Self.limits.totalBytes else { return try fail(.tooLarge(limit: Self.limits.totalBytes)) }
        decoder.append(bytes.bindMemory(to: UInt8.self), to: &text)
        try readText()
    }

    /// The document is over.
    public func finish() throws(OPMLError) -> OPML {
        decoder.finish(into: &text)
        try readText()
        var isWhole = true
        do throws(FeedError) { isWhole = try reader.finish() } catch { try fail(OPMLError(error)) }
        var list = reader.receiver.list
        list.isTruncated = !isWhole
        return list
    }

    /// Reads a whole document.
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
