// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Parses documents with the words of an episode: WebVTT, SubRip, JSON, HTML and plain text.
public enum TranscriptParser {
    /// The size of the largest document, in bytes. A caller need not request more.
    public static let largestDocument = TranscriptLimits().totalBytes

    /// Parses a document. Its content decides about the format, and the declared format if the content could be text.
    ///
    /// - Parameters:
    ///   - bytes: the document in any charset.
    ///   - link: the feed's link to the document.
    ///   - contentType: the HTTP header of the response, for its charset and as a second declaration of the format.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, of link: ParsedTranscript? = nil, contentType: String? = nil
    ) throws(TranscriptError) -> Transcript {
        try parse(bytes, link, contentType, limits: TranscriptLimits())
    }

    static func parse(
        _ bytes: UnsafeRawBufferPointer, _ link: ParsedTranscript?, _ contentType: String?, limits: TranscriptLimits
    ) throws(TranscriptError) -> Transcript {
        guard bytes.count <= limits.totalBytes else { throw .tooLarge(limit: limits.totalBytes) }
        guard !isBinary(bytes) else { throw .otherFormat }
        let text = decoded(bytes, contentType)
        guard !text.allSatisfy(ASCII.isSpace) else { throw .empty }
        let declared = TranscriptFormat(type: link?.type, url: link?.url) ?? contentType.flatMap(TranscriptFormat.init)
        var draft = TranscriptDraft(limits: limits, language: link?.language)
        let found = text.withUnsafeBufferPointer { text in
            let content = TranscriptFormat(content: text)
            // A page or a text in place of declared captions is a message of the server.
            let isDeclared = !content.isStructured && declared?.isStructured ?? false
            read(text, isDeclared ? declared ?? content : content, into: &draft)
            return content
        }
        guard !draft.isOverfull else { throw .tooLong(limit: limits.cues) }
        guard let transcript = draft.finished() else { throw found.isStructured ? .empty : .otherFormat }
        return transcript
    }

    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, _ format: TranscriptFormat, into draft: inout TranscriptDraft
    ) {
        switch format {
        case .webVTT: CaptionReader.read(text, isWebVTT: true, into: &draft)
        case .subRip: CaptionReader.read(text, isWebVTT: false, into: &draft)
        case .json: TranscriptJSONReader.read(text, into: &draft)
        case .html: TranscriptHTMLReader.read(text, into: &draft)
        case .text: TranscriptTextReader.read(text, into: &draft)
        }
    }

    /// The size of the steps in which a document is decoded, which bounds the intermediate copies.
    private static let stepLength = 32 << 10

    private static func decoded(_ bytes: UnsafeRawBufferPointer, _ contentType: String?) -> [UInt8] {
        var decoder = TextDecoder(contentType: contentType, log: RepairLog(limit: 0))
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes.bindMemory(to: UInt8.self)[...]
        while !rest.isEmpty {
            let step = rest.prefix(stepLength)
            decoder.append(UnsafeBufferPointer(rebasing: step), to: &text)
            rest = rest[step.endIndex...]
        }
        decoder.finish(into: &text)
        return text
    }

    /// True for documents of office programs, compressed files and other formats that are not text.
    private static func isBinary(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let head = Array(bytes.prefix(Charset.headLength))
        if head.starts(with: "%PDF-".utf8) || head.starts(with: "{\\rtf".utf8) { return true }
        let isWide = Charset(head: head, contentType: nil).name?.hasPrefix("UTF-") ?? false
        return head.contains(0) && !isWide
    }
}
