// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of the JSON document that `podcast:chapters` refers to. Source: podcast namespace, "JSON Chapters Format"
/// 1.2.
public enum ChaptersDocument {
    /// The reason why a document has no chapters.
    public enum Failure: Error, Sendable, Equatable {
        /// Another document, as a server sends it in place of a missing one.
        case notChapters
        /// The document is larger than the limit in bytes.
        case tooLarge(limit: Int)
    }

    /// The largest accepted document in bytes.
    public static let longest = 8 << 20
    private static let sliceLength = 32 << 10

    /// Parses a whole document. A cut off document has the chapters before the cut.
    ///
    /// - Parameters:
    ///   - baseURL: the URL of the document after redirects; relative references are resolved against it.
    ///   - contentType: the HTTP header of the response, for its charset.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, baseURL: String?, contentType: String? = nil
    ) throws(Failure) -> ChapterList {
        guard bytes.count <= longest else { throw .tooLarge(limit: longest) }
        var limits = FeedLimits()
        limits.textBytes = 64 << 10
        var decoder = TextDecoder(contentType: contentType, log: RepairLog(limit: limits.repairs))
        var scanner = JSONScanner(limits: limits)
        var builder = ChaptersBuilder(baseURL: baseURL.flatMap(WebURL.base))
        var text: [UInt8] = []
        var rest = bytes[...]
        var hasBegun = false
        while !rest.isEmpty {
            let slice = rest.prefix(sliceLength)
            rest = rest.dropFirst(slice.count)
            decoder.append(UnsafeRawBufferPointer(rebasing: slice).bindMemory(to: UInt8.self), to: &text)
            if rest.isEmpty { decoder.finish(into: &text) }
            if !hasBegun, let first = text.first(where: { !ASCII.isSpace($0) }) {
                guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { throw .notChapters }
                hasBegun = true
            }
            text.withUnsafeBufferPointer { text in scanner.append(text) { builder.handle($0) } }
            text.removeAll(keepingCapacity: true)
        }
        guard builder.hasList else { throw .notChapters }
        return ChapterList(.json, builder.chapters)
    }
}

extension ChaptersDocument.Failure: CustomStringConvertible {
    /// A phrase without a full stop, for use after the episode's name and a colon.
    public var description: String {
        switch self {
        case .notChapters: "the chapters document contains no chapters"
        case .tooLarge(let limit): "the chapters document is larger than \(limit >> 20) MiB"
        }
    }
}
