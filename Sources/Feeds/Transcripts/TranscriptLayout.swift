// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension Transcript {
    /// All words: one line for each paragraph, with the name of its speaker where the speaker changes.
    public var plainText: String { paragraphs.map { String(text: $0.words) }.joined(separator: "\n") }

    /// Returns the transcript for a terminal: paragraphs of several cues, with the time of the first one.
    ///
    /// - Parameters:
    ///   - width: the maximum number of columns of a line; only a URL may be longer.
    ///   - timeMark: a mark before each time, in ASCII.
    /// - Returns: lines without control characters.
    public func lines(width: Int, timeMark: String = "") -> [String] {
        var wrapper = LineWrapper(width: width)
        let paragraphs = paragraphs
        let times = paragraphs.map { $0.start.map { timeMark + Self.clock($0) + "  " } ?? "" }
        let columns = times.reduce(0) { max($0, $1.utf8.count) }
        // In a narrow terminal, only the first line of a paragraph is indented by the time.
        let indent = String(repeating: " ", count: width >= 4 * columns ? columns : 0)
        for (index, (paragraph, time)) in zip(paragraphs, times).enumerated() {
            if !isTimed, index > 0 { wrapper.append(line: "") }
            wrapper.wrap(paragraph.words, first: indent.dropLast(time.utf8.count) + time, rest: indent)
        }
        return wrapper.lines
    }

    private static func clock(_ time: Duration) -> String {
        let seconds = max(0, time.components.seconds)
        let twoDigits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):" + twoDigits(minutes) : "\(minutes)") + ":" + twoDigits(seconds % 60)
    }
}

extension Transcript {
    private struct Paragraph {
        let start: Duration?
        var words: [UInt8]
    }

    /// The size from which a paragraph ends with a sentence, and the size at which it ends anyway, in bytes.
    private static let paragraphBytes = 400
    private static let mostParagraphBytes = 1200
    /// The pause that begins a paragraph.
    private static let pause = Duration.seconds(3)

    /// The cues joined to paragraphs of one speaker. A document without times has its own paragraphs.
    private var paragraphs: [Paragraph] {
        var paragraphs: [Paragraph] = []
        for (index, cue) in cues.enumerated() {
            let last = index > 0 ? cues[index - 1] : nil
            if let last, Self.joins(cue, last, paragraphs.last?.words.count ?? 0) {
                let text = WordJoining.separator(last.text, cue.text) + cue.text
                paragraphs[paragraphs.count - 1].words += text.utf8
            } else {
                let isNew = cue.speaker != last?.speaker
                let name = cue.speaker.flatMap { isNew ? "\($0): " : nil } ?? ""
                let words = Array((name + cue.text).utf8)
                paragraphs.append(Paragraph(start: cue.start, words: words))
            }
        }
        return paragraphs
    }

    private static func joins(_ cue: Cue, _ last: Cue, _ bytes: Int) -> Bool {
        guard let start = cue.start, let end = last.end, cue.speaker == last.speaker, start - end < pause else {
            return false
        }
        return bytes < paragraphBytes || bytes < mostParagraphBytes && !last.endsSentence
    }
}
