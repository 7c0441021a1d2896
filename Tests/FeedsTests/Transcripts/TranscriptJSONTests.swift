// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Transcripts in JSON")
struct TranscriptJSONTests {
    private func cues(_ segments: String) -> String {
        TranscriptDump("{\"version\": \"1.0.0\", \"segments\": [\(segments)]}", type: "application/json").description
    }

    @Test(
        "Segments have a text, perhaps times and a speaker",
        arguments: [
            (#"{"startTime": 0.5, "endTime": 2, "body": "A long enough text."}"#, "0.5-2 A long enough text."),
            (
                #"{"speaker": "Mary", "startTime": 1, "endTime": 2, "body": "A long enough text."}"#,
                "1-2 Mary: A long enough text."
            ),
            (#"{"startTime": 1, "body": "A long enough text."}"#, "1-1 A long enough text."),
            (#"{"body": "A long enough text."}"#, "A long enough text."),
            (
                #"{"startTime": "00:01:00.5", "endTime": "61", "body": "A long enough text."}"#,
                "60.5-61 A long enough text."
            ),
            (
                #"{"startTime": 1e-05, "endTime": 0.123456789, "body": "A long enough text."}"#,
                "0-0.123 A long enough text."
            ),
            (#"{"startTime": 5, "endTime": 1, "body": "A long enough text."}"#, "5-5 A long enough text."),
            (#"{"startTime": -1, "endTime": 1e300, "body": "A long enough text."}"#, "A long enough text."),
            (
                #"{"startTime": 1, "endTime": 1e300, "body": "A long enough text."}"#
                    + #", {"startTime": 1e8, "endTime": "99:99:99", "body": "and two of them."}"#,
                "1-1 A long enough text.\n1-1 and two of them."
            ),
            (
                #"{"startTime": 1, "endTime": 2, "speaker": null, "body": "  Two\n lines \u00e9\u001b "}"#,
                "1-2 Two lines é"
            ),
            (
                #"{"startTime": 1, "endTime": 2, "body": ""}, {"startTime": 2, "endTime": 3, "body": "A long text."}"#,
                "2-3 A long text."
            ),
        ])
    func segments(_ segments: String, _ expected: String) {
        #expect(cues(segments) == expected)
    }

    @Test(
        "A segment without a start begins at the end of the one before and keeps its own end",
        arguments: [
            (#"{"endTime": 4, "body": "and two of them."}"#, "1-2 A long enough text.\n2-4 and two of them."),
            (#"{"endTime": 1.5, "body": "and two of them."}"#, "1-2 A long enough text.\n1.5-1.5 and two of them."),
            (#"{"body": "and two of them."}"#, "1-2 A long enough text.\n2-2 and two of them."),
        ])
    func withoutStart(_ segment: String, _ expected: String) {
        #expect(cues(#"{"startTime": 1, "endTime": 2, "body": "A long enough text."}, \#(segment)"#) == expected)
    }

    @Test("Segments that state only their ends follow one another from the beginning")
    func onlyEnds() {
        let segments = [2, 3.5].map { #"{"endTime": \#($0), "body": "A long enough text."}"# }
        #expect(cues(segments.joined(separator: ",")) == "0-2 A long enough text.\n2-3.5 A long enough text.")
    }

    @Test("A segment that states only its end begins after a pause, and not after its own words")
    func pause() {
        let words = #""words": [{"word": "A", "start": 10, "end": 11.5}]"#
        let last = #"{\#(words), "endTime": 12, "body": "A long enough text."}"#
        #expect(cues(#"{"startTime": 5, "endTime": 9, "body": ""}, \#(last)"#) == "9-12 A long enough text.")
        #expect(cues(#"{"startTime": 5, "endTime": 9}, \#(last)"#) == "9-12 A long enough text.")
    }

    @Test("The names and the form of speech recognizers are accepted")
    func others() {
        let words = #""words": [{"word": "A", "start": 1.0, "end": 1.2}]"#
        let segment = #"{"id": 0, "start": 1.0, "end": 2.5, "text": " A long enough text.", \#(words)}"#
        let document = #"{"text": " A long enough text.", "segments": [\#(segment)], "language": "en"}"#
        #expect(TranscriptDump(document).description == "1-2.5 A long enough text.")
        #expect(TranscriptDump(document).transcript?.language == "en")
        #expect(TranscriptDump("[\(segment)]").description == "1-2.5 A long enough text.")
    }

    /// A segment for each word, half a second long; `|` begins a pause of three seconds.
    private func words(_ text: String, speaker: String = "") -> String {
        var time = 0.0
        return text.split(separator: " ").map { word in
            if word == "|" { time += 3 }
            defer { time += 0.5 }
            let name = speaker.isEmpty ? "" : "\"speaker\": \"\(speaker)\", "
            return
                "{\(name)\"startTime\": \(time), \"endTime\": \(time + 0.5), \"body\": \"\(word == "|" ? "" : word)\"}"
        }.joined(separator: ",")
    }

    @Test(
        "Words are joined to sentences",
        arguments: [
            ("I am your father. No!", "0-2 I am your father.\n2-2.5 No!"), ("One | two", "0-0.5 One\n4-4.5 two"),
            ("He said, \\\"no.\\\" Yes", "0-1.5 He said, \"no.\"\n1.5-2 Yes"), ("R B , two", "0-2 R B, two"),
            ("今日 は 雨 。 明日", "0-2 今日は雨。\n2-2.5 明日"), ("Wait \u{2026} what? Yes", "0-1 Wait…\n1-1.5 what?\n1.5-2 Yes"),
        ])
    func sentences(_ text: String, _ expected: String) {
        #expect(cues(words(text)) == expected)
    }

    @Test("A sentence lasts at most 12 seconds and has one speaker")
    func longSentences() {
        let long = String(repeating: "word ", count: 60)
        let transcript = TranscriptDump("[\(words(long))]").transcript
        #expect(transcript?.cues.map { $0.text.split(separator: " ").count } == [24, 24, 12])
        let other = #"{"speaker": "John", "startTime": 1, "endTime": 2, "body": "No"}"#
        let two = "[\(words("I am", speaker: "Mary")), \(other)]"
        #expect(TranscriptDump(two).description == "0-1 Mary: I am\n1-2 John: No")
    }

    @Test(
        "Other JSON is not a transcript",
        arguments: ["{\"a\": 1}", "[{\"a\": [{}]}]", "{\"segments\": []}", "{\"body\": \"x\"}"])
    func other(_ document: String) {
        #expect(TranscriptDump(document).error == .empty)
    }
}
