// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Reads transcripts in JSON: the objects of an array, each with a text, perhaps times in seconds and a speaker. Also
/// accepts the names that speech recognizers use.
///
/// Source: the podcast namespace, transcript file format details, JSON, version 1.0.0.
struct TranscriptJSONReader {
    private struct Segment {
        var start: Duration?
        var end: Duration?
        var speaker: String?
        var words: PlainWords?
    }

    /// An open object; `nil` for an array.
    private var open: [Segment?] = []
    /// The name of the next value; empty in an array.
    private var name = ""
    /// The end of the segment or pause before, where a segment begins that states only its end.
    private var lastEnd = Duration.zero
    private var draft: TranscriptDraft

    static func read(_ source: UnsafeBufferPointer<UInt8>, into draft: inout TranscriptDraft) {
        var reader = TranscriptJSONReader(draft: draft)
        var limits = FeedLimits()
        (limits.depth, limits.textBytes) = (16, 64 << 10)
        var scanner = JSONScanner(limits: limits)
        scanner.append(source) { reader.handle($0) }
        scanner.finish { reader.handle($0) }
        draft = reader.draft
    }

    private init(draft: TranscriptDraft) { self.draft = draft }

    private mutating func handle(_ token: JSONScanner.Token) {
        switch token {
        case .name(let bytes): name = bytes.count <= 32 ? ASCII.lowercasedString(bytes) : ""
        case .objectBegan: open(Segment())
        case .arrayBegan: open(nil)
        case .objectEnded, .arrayEnded: close()
        case .string(let text), .literal(let text): read(text)
        }
    }

    private mutating func open(_ segment: Segment?) {
        open.append(segment)
        name = ""
    }

    private mutating func close() {
        let closed = open.popLast()
        name = ""
        // The outermost object may have a text as well: that of all its segments.
        guard case .some(nil) = open.last, let segment = closed ?? nil else { return }
        if let words = segment.words {
            draft.append(time(of: segment), speaker: segment.speaker, words)
        } else if open.count(where: { $0 == nil }) == 1 {
            // A pause. The objects of an inner array are the words of a segment.
            _ = time(of: segment)
        }
    }

    /// Returns the time of a segment, after which the next one may begin.
    private mutating func time(of segment: Segment) -> Range<Duration>? {
        guard let start = segment.start ?? segment.end.map({ min($0, lastEnd) }) else { return nil }
        lastEnd = max(start, segment.end ?? start)
        return start..<lastEnd
    }

    private mutating func read(_ text: [UInt8]) {
        defer { name = "" }
        let last = open.count - 1
        guard last >= 0, open[last] != nil else { return }
        switch name {
        case "starttime", "start": open[last]?.start = Self.seconds(text)
        case "endtime", "end": open[last]?.end = Self.seconds(text)
        case "speaker": open[last]?.speaker = Self.words(text).map { String(text: $0.bytes) }
        case "body", "text": open[last]?.words = Self.words(text)
        case "language": draft.offer(language: text)
        default: break
        }
    }

    private static func words(_ text: [UInt8]) -> PlainWords? {
        guard !ASCII.equalsIgnoringCase(text, "null") else { return nil }
        var words = PlainWords()
        text.withUnsafeBufferPointer { words.append($0) }
        return words.isEmpty ? nil : words
    }

    private static let mostSeconds = CaptionTime.latest / .seconds(1)

    /// Returns a time of day as in captions, or seconds with any number of decimals.
    private static func seconds(_ text: [UInt8]) -> Duration? {
        if text.contains(UInt8(ascii: ":")) { return CaptionTime.position(text) }
        guard let seconds = Double(String(text: text)), (0...mostSeconds).contains(seconds) else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
