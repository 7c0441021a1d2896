// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Joins the cues of a document with one cue for each word to sentences.
enum WordJoining {
    /// The longest sentence in time and in bytes; a longer one is divided.
    private static let longest = Duration.seconds(12)
    private static let mostSentenceBytes = 1 << 10
    /// The pause after which a new sentence begins.
    private static let longestPause = Duration.seconds(2)
    /// The mean size of a cue and the median time between two cues in such a document are below these limits.
    private static let mostBytes = 12
    private static let longestWord = Duration.seconds(1)

    /// - Parameter cues: in ascending order of time.
    static func joined(_ cues: [Transcript.Cue]) -> [Transcript.Cue] {
        guard areWords(cues) else { return cues }
        var sentences: [Transcript.Cue] = []
        for cue in cues {
            if let last = sentences.last, let time = time(of: last, with: cue) {
                sentences[sentences.count - 1].text += separator(last.text, cue.text) + cue.text
                sentences[sentences.count - 1].time = time
            } else {
                sentences.append(cue)
            }
        }
        return sentences
    }

    private static func areWords(_ cues: [Transcript.Cue]) -> Bool {
        let starts = cues.compactMap(\.start)
        let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }.sorted()
        guard !steps.isEmpty, cues.reduce(0, { $0 + $1.text.utf8.count }) < cues.count * mostBytes else { return false }
        let median = steps[steps.count / 2]
        // Paragraphs of one time are not words.
        return median > .zero && median < longestWord
    }

    /// - Returns: the time of both together; `nil` if the second one begins another sentence.
    private static func time(of last: Transcript.Cue, with cue: Transcript.Cue) -> Range<Duration>? {
        guard let first = last.time, let second = cue.time, last.speaker == cue.speaker, !last.endsSentence,
            last.text.utf8.count + cue.text.utf8.count < mostSentenceBytes
        else { return nil }
        let end = max(first.upperBound, second.upperBound)
        let isNear = second.lowerBound - first.upperBound <= longestPause && end - first.lowerBound <= longest
        return isNear ? first.lowerBound..<end : nil
    }

    /// Returns the space between two texts, which is missing before punctuation and between Chinese and Japanese
    /// characters.
    static func separator(_ text: String, _ next: String) -> String {
        guard let last = text.unicodeScalars.last, let first = next.unicodeScalars.first else { return "" }
        let isUnspaced =
            ",.?!:;%\u{2019}\u{2026}".unicodeScalars.contains(first)
            || last.terminalColumns == 2 && first.terminalColumns == 2
        return isUnspaced ? "" : " "
    }
}
