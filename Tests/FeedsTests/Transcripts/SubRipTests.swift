// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Transcripts in SubRip")
struct SubRipTests {
    private static let hi = "00:00:01,000 --> 00:00:02,000\nHi"
    private static let ho = "00:00:02,500 --> 00:00:03,000\nHo"

    @Test(
        "Numbers, line ends and empty lines may be missing or superfluous",
        arguments: [
            "1\n\(hi)\n\n2\n\(ho)\n", "\u{FEFF}1\n\(hi)\n\n2\n\(ho)\n\n\n", "\(hi)\n\n\(ho)", "1\n\(hi)\n2\n\(ho)",
            "1\n\(hi)\n\n\n\n2\n\(ho)\n\n3\n", "\(hi)\n\(ho)", "1 \(hi)\n\n2 \(ho)", "7\n\(hi)\n\n7\n\(ho)",
            "\n\n1\n\(hi)\n\n2\n\(ho)",
            "1\n\(hi)\n\n2\n\(ho)\n\n3", "1\n\(hi)\n \n2\n\(ho)",
        ])
    func blocks(_ document: String) {
        for end in ["\n", "\r\n", "\r"] {
            let document = document.replacing("\n", with: end)
            #expect(TranscriptDump(document).description == "1-2 Hi\n2.5-3 Ho")
        }
    }

    @Test(
        "Texts keep all their lines",
        arguments: [
            ("1\n00:00:01,000 --> 00:00:02,000\n \nHi\n \nthere", "1-2 Hi there"),
            ("1\n\(hi)\nthere", "1-2 Hi there"), ("1\n\(hi)\n\nthere\n\n2\n\(ho)", "1-2 Hi there\n2.5-3 Ho"),
            ("1\n\(hi)\n\n1999\n\n2\n\(ho)", "1-2 Hi 1999\n2.5-3 Ho"),
            ("\(hi)\n1999\n\n\(ho)", "1-2 Hi 1999\n2.5-3 Ho"),
            ("1\n00:00:01,000 --> 00:00:02,000\n\n2\n\(ho)", "2.5-3 Ho"),
            ("1\n\(hi) <i>you</i> {\\an8}two {three}", "1-2 Hi you two {three}"),
            ("1\n\(hi) --> there\n\n2\n\(ho)", "2.5-3 Ho"),
        ])
    func texts(_ document: String, _ expected: String) {
        #expect(TranscriptDump(document).description == expected)
    }

    @Test(
        "The milliseconds follow a comma, a point or a colon",
        arguments: [
            ("00:00:01,500 --> 00:00:02,250", "1.5-2.25 Hi"), ("00:00:01.500 --> 00:00:02.250", "1.5-2.25 Hi"),
            ("00:00:01:500 --> 00:00:02:250", "1.5-2.25 Hi"),
        ])
    func milliseconds(_ time: String, _ expected: String) {
        #expect(TranscriptDump("1\n\(time)\nHi\n").description == expected)
    }

    @Test(
        "A cue whose time is impossible is left out; 60 is the result of rounding",
        arguments: [
            ("99:99:99,000 --> 99:99:99,900", "2.5-3 Ho"), ("00:00:01,000 --> 00:99:00,000", "2.5-3 Ho"),
            ("00:00:61,000 --> 00:01:02,000", "2.5-3 Ho"), ("9999:00:00,000 --> 9999:00:01,000", "2.5-3 Ho"),
            ("00:00:01,000 --> 00:00:60,000", "1-60 Hi\n2.5-3 Ho"),
            ("90:00,000 --> 90:01,000", "2.5-3 Ho\n5400-5401 Hi"),
        ])
    func impossibleTimes(_ time: String, _ expected: String) {
        #expect(TranscriptDump("1\n\(time)\nHi\n\n2\n\(Self.ho)\n").description == expected)
    }

    @Test(
        "Overlapping and unordered cues stand in the order of their starts",
        arguments: [
            ("\(ho)\n\n\(hi)", "1-2 Hi\n2.5-3 Ho"),
            ("00:00:01,000 --> 00:00:09,000\na\n\n00:00:02,000 --> 00:00:03,000\nb", "1-9 a\n2-3 b"),
            (
                "00:00:01.000 --> 00:00:01.000\na\n\n00:00:01.000 --> 00:00:02.000\nb\n\n\(ho)",
                "1-2.5 a\n1-2 b\n2.5-3 Ho"
            ),
        ])
    func order(_ document: String, _ expected: String) {
        #expect(TranscriptDump(document).description == expected)
    }

    @Test("A name before the words applies until the next name")
    func names() {
        let document = ["Sarah: In today's episode,", "what not: to do.", "Gillian: Hi, I am", "from: a port."]
            .enumerated().map { "\($0 + 1)\n00:00:0\($0),000 --> 00:00:0\($0 + 1),000\n\($1)\n\n" }.joined()
        #expect(
            TranscriptDump(document).description.split(separator: "\n") == [
                "0-1 Sarah: In today's episode,", "1-2 Sarah: what not: to do.", "2-3 Gillian: Hi, I am",
                "3-4 Gillian: from: a port.",
            ])
    }

    @Test(
        "Names are few words with capitals",
        arguments: [
            ("Mary: Hi", "Mary"), ("Mary Ann: Hi", "Mary Ann"), ("SPEAKER 1: Hi", "SPEAKER 1"),
            ("- Dr. O'Neil: Hi", "Dr. O'Neil"),
            ("[Mary]: Hi", "Mary"), ("[Mary:] Hi", "Mary"), (">> Mary: Hi", "Mary"), ("Q: Hi", "Q"), ("小林：こんにちは", "小林"),
            ("小林:こんにちは", "小林"), ("Émile: Salut", "Émile"), ("and then: Hi", nil), ("At 12:30 we", nil),
            ("12:30 PM: Hi", nil),
            ("https://a.example", nil), ("Mary:", nil), (": Hi", nil), ("1: Hi", nil), ("Well, Mary: Hi", nil),
            ("One Two Three Four Five: Hi", nil), ("Hi", nil), ("", nil),
        ] as [(String, String?)])
    func split(_ text: String, _ name: String?) {
        #expect(SpeakerNames.split(text).map { String($0.name) } == name)
    }

    @Test("A name that occurs once in the middle of a document belongs to the text")
    func once() {
        let texts = ["One", "Warning: two", "Three", "Four"]
        let document = { (texts: [String]) in
            texts.enumerated().map { "00:00:0\($0),000 --> 00:00:0\($0 + 1),000\n\($1)\n\n" }.joined()
        }
        #expect(TranscriptDump(document(texts)).transcript?.cues.map(\.text) == texts)
        let repeated = TranscriptDump(document(["One", "Mary: two", "Mary: three"]))
        #expect(repeated.description == "0-1 One\n1-2 Mary: two\n2-3 Mary: three")
    }
}
