// SPDX-License-Identifier: GPL-3.0-or-later

extension Transcript {
    /// The size up to which cues are joined to a sentence, in bytes; captions may have no punctuation.
    private static let mostSentenceBytes = 240

    /// Returns the cues that form a sentence of one speaker together with the given ones.
    public func sentence(around words: ClosedRange<Int>) -> ClosedRange<Int> {
        var (first, last) = (words.lowerBound, words.upperBound)
        var bytes = cues[first...last].reduce(0) { $0 + $1.text.utf8.count }
        while first > 0, continues(first - 1, adding: first - 1, &bytes) { first -= 1 }
        while last + 1 < cues.count, continues(last, adding: last + 1, &bytes) { last += 1 }
        return first...last
    }

    /// Returns the texts of the cues on one line. The name of a speaker precedes each turn except the first one.
    public func text(of range: ClosedRange<Int>) -> String {
        zip(cues[range], cues[range].dropFirst()).reduce(cues[range.lowerBound].text) { text, pair in
            let (former, cue) = pair
            guard let speaker = cue.speaker, speaker != former.speaker else {
                return text + WordJoining.separator(text, cue.text) + cue.text
            }
            return "\(text) \(speaker): \(cue.text)"
        }
    }

    /// Returns true if the sentence of a cue continues in the next one, and the size permits adding one of them. A
    /// document without times consists of paragraphs.
    private func continues(_ index: Int, adding added: Int, _ bytes: inout Int) -> Bool {
        let (cue, next) = (cues[index], cues[index + 1])
        let sum = bytes + cues[added].text.utf8.count
        guard isTimed, sum <= Self.mostSentenceBytes, cue.speaker == next.speaker, !cue.endsSentence else {
            return false
        }
        bytes = sum
        return true
    }
}

extension Transcript {
    fileprivate static let sentenceEnds = Array(
        ".?!\u{2026}\u{3002}\u{FF0E}\u{FF1F}\u{FF01}\u{61F}\u{6D4}\u{964}".unicodeScalars)
    fileprivate static let closing = Array("\"')]\u{201D}\u{2019}\u{BB}\u{300D}\u{300F}\u{FF09}".unicodeScalars)

    /// Returns the sentences of a text, without the spaces between them.
    public static func sentences(in text: String) -> [Substring] {
        var sentences: [Substring] = []
        let scalars = text.unicodeScalars
        var (start, index) = (scalars.startIndex, scalars.startIndex)
        while index < scalars.endIndex {
            let mark = scalars[index]
            scalars.formIndex(after: &index)
            guard sentenceEnds.contains(mark) else { continue }
            index =
                scalars[index...].firstIndex { !closing.contains($0) && !sentenceEnds.contains($0) } ?? scalars.endIndex
            // Chinese and Japanese sentences have no space between them; the point of a number has none after it.
            guard !mark.isASCII || index == scalars.endIndex || scalars[index] == " " else { continue }
            sentences.append(text[start..<index])
            index = scalars[index...].firstIndex { $0 != " " } ?? scalars.endIndex
            start = index
        }
        return start < scalars.endIndex ? sentences + [text[start...]] : sentences
    }
}

extension Transcript.Cue {
    /// True if the text ends with the punctuation of a sentence.
    public var endsSentence: Bool {
        text.unicodeScalars.last { !Transcript.closing.contains($0) }.map(Transcript.sentenceEnds.contains) ?? false
    }
}
