// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads WebVTT and SubRip, which differ in their blocks: an empty line ends a cue of WebVTT, and only the next time
/// ends one of SubRip, because programs write empty lines within a text.
///
/// Source: WebVTT, 6.1. Comments, styles and regions are blocks without a time.
struct CaptionReader {
    private enum State {
        /// Before the first block, or in a block without a time.
        case skipping
        case between
        /// After the first line of a block, which may be the identifier of a cue.
        case identified
        case inside(time: Range<Duration>)
    }

    private let source: UnsafeBufferPointer<UInt8>
    private let isWebVTT: Bool
    private var state: State
    private var draft: TranscriptDraft
    /// The place of the text of the current cue.
    private var text = 0..<0
    /// The end of the text without its last line.
    private var earlierEnd = 0
    /// True if the last line of the text has only digits.
    private var isNumber = false
    /// True if an empty line stands before the last line of the text, and after it.
    private var isSeparate = false
    private var hasEnded = false

    static func read(_ source: UnsafeBufferPointer<UInt8>, isWebVTT: Bool, into draft: inout TranscriptDraft) {
        var reader = CaptionReader(source, isWebVTT: isWebVTT, draft)
        var lines = TextLines(source)
        while !reader.draft.isOverfull, let range = lines.range() { reader.consume(range) }
        // A truncated document ends with the number of the next cue.
        reader.endCue(dropsNumber: reader.isNumber && reader.isSeparate)
        draft = reader.draft
    }

    private init(_ source: UnsafeBufferPointer<UInt8>, isWebVTT: Bool, _ draft: TranscriptDraft) {
        (self.source, self.isWebVTT, self.draft) = (source, isWebVTT, draft)
        state = isWebVTT ? .skipping : .between
    }

    private mutating func consume(_ range: Range<Int>) {
        let line = UnsafeBufferPointer(rebasing: source[range])
        if CaptionTime.hasArrow(line) {
            endCue(dropsNumber: isNumber && !hasEnded)
            begin(CaptionTime.range(line), after: range)
        } else if endsBlock(line) {
            endBlock()
        } else {
            append(line, range)
        }
    }

    /// In a cue of WebVTT, a line of spaces is text: automatic captions begin with one.
    private func endsBlock(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        if case .inside = state, isWebVTT { return line.isEmpty }
        return line.allSatisfy(ASCII.isSpace)
    }

    private mutating func begin(_ time: Range<Duration>?, after range: Range<Int>) {
        state = time.map { .inside(time: $0) } ?? .skipping
        text = range.upperBound..<range.upperBound
        earlierEnd = range.upperBound
        (isNumber, isSeparate, hasEnded) = (false, false, false)
    }

    private mutating func endBlock() {
        if case .inside = state, !isWebVTT {
            hasEnded = true
        } else {
            endCue(dropsNumber: false)
            state = .between
        }
    }

    private mutating func append(_ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        switch state {
        case .skipping: readHeader(line)
        case .between: state = .identified
        case .identified: state = .skipping
        case .inside:
            isNumber = ASCII.trimmed(line).allSatisfy(ASCII.isDigit)
            (isSeparate, hasEnded) = (hasEnded, false)
            earlierEnd = text.upperBound
            text = text.lowerBound..<range.upperBound
        }
    }

    /// Reads a line of WebVTT's header; other blocks without a time have no such lines before the first cue.
    private mutating func readHeader(_ line: UnsafeBufferPointer<UInt8>) {
        let name = Array("language:".utf8)
        guard isWebVTT, draft.isEmpty, line.count > name.count,
            ASCII.lowercasedString(line.prefix(name.count)).utf8.elementsEqual(name)
        else { return }
        draft.offer(language: line[name.count...])
    }

    /// - Parameter dropsNumber: true if the last line of the text is the number of the next cue.
    private mutating func endCue(dropsNumber: Bool) {
        guard case .inside(let time) = state else { return }
        let end = dropsNumber ? earlierEnd : text.upperBound
        let words = UnsafeBufferPointer(rebasing: source[text.lowerBound..<end])
        CaptionText.read(words) { speaker, words in draft.append(time, speaker: speaker, words) }
        state = .between
    }
}
