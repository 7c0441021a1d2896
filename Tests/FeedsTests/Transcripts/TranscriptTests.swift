// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("A transcript")
struct TranscriptTests {
    /// Creates cues from lines such as `1-2 Mary: words`.
    private func transcript(_ lines: String...) -> Transcript {
        Transcript(
            cues: lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                let ends = parts[0].split(separator: "-").compactMap { Double($0) }
                let words = SpeakerNames.split(String(parts[1]))
                return Transcript.Cue(
                    time: ends.count == 2 ? .seconds(ends[0]) ..< .seconds(ends[1]) : nil,
                    speaker: words.map { String($0.name) }, text: words.map { String($0.words) } ?? String(parts[1]))
            })
    }

    @Test(
        "The cue at a time is the one that started last and still lasts",
        arguments: [
            (0.0, nil), (1.0, "a"), (1.9, "a"), (2.0, nil), (3.0, "b"), (4.0, "c"), (4.9, "c"), (5.0, "b"), (8.9, "b"),
            (9.0, nil),
            (10.0, "d"), (99.0, "d"),
        ] as [(Double, String?)])
    func atTime(seconds: Double, text: String?) {
        let transcript = transcript("1-2 a", "3-9 b", "4-5 c", "10-10 d")
        #expect(transcript.cue(at: .seconds(seconds))?.text == text)
    }

    @Test("A transcript without times has no cue at a time")
    func untimed() {
        #expect(transcript("x a").cue(at: .zero) == nil)
        #expect(Transcript(cues: []).cue(at: .zero) == nil)
    }

    @Test("The search for a time equals a search of all cues", arguments: 0..<20 as Range<UInt64>)
    func anyTime(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cues = (0..<60).map { number in
            let start = Duration.seconds(Int.random(in: 0..<100, using: &random))
            return Transcript.Cue(
                time: start..<(start + .seconds(Int.random(in: 0..<4, using: &random))), text: "\(number)")
        }
        let transcript = Transcript(cues: cues)
        for second in -1...105 {
            let time = Duration.seconds(second)
            let expected = transcript.cues.lastIndex {
                $0.time.map { $0.contains(time) || $0.isEmpty && $0.lowerBound <= time } ?? false
            }
            // Cues of four seconds at most, 60 in 100 seconds: rarely do more than eight overlap.
            if let expected, transcript.cues[expected...].count(where: { ($0.start ?? .zero) <= time }) > 8 { continue }
            #expect(transcript.index(at: time) == expected)
        }
    }

    @Test("Missing times and ends are completed in the order of time")
    func arranged() {
        let arranged = transcript("x a", "5-5 b", "x c", "2-3 d", "x e", "9-9 f")
        #expect(arranged.cues.map(TranscriptDump.line) == ["0-2 a", "2-3 d", "3-5 e", "5-9 b", "5-9 c", "9-9 f"])
    }

    @Test("Plain text has a line for each paragraph and the name where the speaker changes")
    func plainText() {
        let transcript = transcript("0-1 Mary: One.", "1-2 Mary: Two.", "2-3 John: Three.", "9-10 John: Four.")
        #expect(transcript.plainText == "Mary: One. Two.\nJohn: Three.\nFour.")
        #expect(self.transcript("x Mary: One.", "x Two.").plainText == "Mary: One.\nTwo.")
    }

    @Test(
        "Lines fill the width, with the time of each paragraph",
        arguments: [
            (
                40,
                [
                    "   0:09  Mary: One two three four five", "         six seven.", "1:00:00  John: 日本語のテキスト日本語の",
                    "         テキスト",
                ]
            ),
            (20, ["0:09  Mary: One two", "three four five six", "seven.", "1:00:00  John: 日本", "語のテキスト日本語の", "テキスト"]),
        ])
    func lines(width: Int, expected: [String]) {
        let transcript = transcript(
            "9-10 Mary: One two three four", "10-11 Mary: five six seven.", "3600-3601 John: 日本語のテキスト日本語のテキスト")
        #expect(transcript.lines(width: width) == expected)
    }

    @Test("Paragraphs without times are separated by empty lines")
    func untimedLines() {
        #expect(transcript("x One.", "x Two.").lines(width: 40) == ["One.", "", "Two."])
        #expect(Transcript(cues: []).lines(width: 40) == [])
    }

    @Test("A long paragraph ends with a sentence")
    func longParagraph() {
        let cues = (0..<100).map { number in
            let text = "This is a line of forty bytes, no \(number % 10)" + (number % 3 == 2 ? "." : "")
            return Transcript.Cue(time: .seconds(number) ..< .seconds(number + 1), text: text)
        }
        let lengths = Transcript(cues: cues).plainText.split(separator: "\n").map(\.utf8.count)
        #expect(lengths.allSatisfy { $0 < 500 } && lengths.dropLast().allSatisfy { $0 >= 400 })
        let text = Transcript(cues: cues).plainText
        #expect(text.split(separator: "\n").allSatisfy { $0.hasSuffix(".") || text.hasSuffix($0) })
    }

    @Test(
        "A sentence ends with its punctuation, inside quotation marks or not",
        arguments: [
            ("Yes.", true), ("Yes?", true), ("\u{201C}Yes!\u{201D}", true), ("(Yes.)", true), ("はい。", true),
            ("نعم؟", true),
            ("Yes", false), ("Yes,", false), ("", false), ("\"", false),
        ])
    func sentence(text: String, ends: Bool) {
        #expect(Transcript.Cue(text: text).endsSentence == ends)
    }

    @Test(
        "A text is divided after each sentence",
        arguments: [
            ("One. Two? Three", ["One.", "Two?", "Three"]), ("3.5 and v.1. No", ["3.5 and v.1.", "No"]),
            ("\u{201C}One!\u{201D} Two.", ["\u{201C}One!\u{201D}", "Two."]),
            ("Wait... what?!  Yes", ["Wait...", "what?!", "Yes"]),
            ("今日は雨。明日も？はい", ["今日は雨。", "明日も？", "はい"]), ("One", ["One"]), ("", []), (".", ["."]),
        ])
    func divided(text: String, sentences: [String]) {
        #expect(Transcript.sentences(in: text).map(String.init) == sentences)
    }

    @Test("The sentence around a cue has one speaker and a limited size, and a text names the next speakers")
    func aroundCue() {
        let talk = transcript(
            "0-1 Mary: One", "1-2 Mary: two.", "2-3 Mary: Three", "3-4 Mary: four", "4-5 John: Five", "5-6 John: six")
        let found = [0...0, 1...1, 2...2, 3...3, 5...5, 1...2].map { talk.text(of: talk.sentence(around: $0)) }
        #expect(found == ["One two.", "One two.", "Three four", "Three four", "Five six", "One two. Three four"])
        #expect(talk.text(of: 2...5) == "Three four John: Five six")
        let endless = Transcript(
            cues: (0..<50).map { .init(time: .seconds($0) ..< .seconds($0 + 1), text: "twenty bytes of text") })
        #expect(endless.text(of: endless.sentence(around: 25...25)).utf8.count == 12 * 21 - 1)
        #expect(transcript("x One", "x two").sentence(around: 0...0) == 0...0)
    }
}
