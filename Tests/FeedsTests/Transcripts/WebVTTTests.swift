// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Transcripts in WebVTT")
struct WebVTTTests {
    private func cues(_ blocks: String) -> String { TranscriptDump("WEBVTT\n\n" + blocks).description }

    @Test(
        "Cues have times with or without hours",
        arguments: [
            ("00:00:01.500 --> 00:00:02.000\nHi", "1.5-2 Hi"), ("00:01.500 --> 00:02.000\nHi", "1.5-2 Hi"),
            ("100:00:00.000 --> 100:00:01.000\nHi", "360000-360001 Hi"),
            ("00:01.000 --> 00:02.000 align:start line:0%\nHi", "1-2 Hi"), ("00:01.000-->00:02.000\nHi", "1-2 Hi"),
            ("00:01 --> 00:02\nHi", "1-2 Hi"), ("00:01,5 --> 00:02,25\nHi", "1.5-2.25 Hi"),
            ("00:05.000 --> 00:02.000\nHi", "5-5 Hi"), ("x --> y\nHi\n\n00:01.000 --> 00:02.000\nHo", "1-2 Ho"),
            ("00:05.000 --> 00:06.000\nb\n\n00:01.000 --> 00:02.000\na", "1-2 a\n5-6 b"),
        ])
    func times(_ blocks: String, _ expected: String) {
        #expect(cues(blocks) == expected)
    }

    @Test(
        "Comments, styles, regions, identifiers and empty cues are left out",
        arguments: [
            "NOTE a comment\nof two lines\n\n00:01.000 --> 00:02.000\nHi", "NOTE\n\n00:01.000 --> 00:02.000\nHi",
            "STYLE\n::cue { color: red }\n\nREGION\nid:a\nwidth:40%\n\n00:01.000 --> 00:02.000\nHi",
            "first words\n00:01.000 --> 00:02.000\nHi", "1\n00:01.000 --> 00:02.000\nHi\n\n2\n",
            "00:00.000 --> 00:01.000\n\n00:01.000 --> 00:02.000\nHi\n\nNOTE the end",
            "00:01.000 --> 00:02.000\nHi\n2\n00:02.000 --> 00:03.000\n",
        ])
    func blocks(_ blocks: String) {
        #expect(cues(blocks) == "1-2 Hi")
    }

    @Test(
        "Only an empty line ends a cue; a line of spaces is part of it",
        arguments: [
            ("00:01.000 --> 00:02.000\n \nHi", "1-2 Hi"), ("00:01.000 --> 00:02.000\n\t\nHi\n \nyou\n ", "1-2 Hi you"),
            ("00:01.000 --> 00:02.000\nHi\n \n2\n00:02.000 --> 00:03.000\nHo", "1-2 Hi\n2-3 Ho"),
            ("00:01.000 --> 00:02.000\n \n\nnot a cue\n\n00:02.000 --> 00:03.000\nHo", "2-3 Ho"),
        ])
    func spaces(_ blocks: String, _ expected: String) {
        for end in ["\n", "\r\n", "\r"] {
            #expect(TranscriptDump(("WEBVTT\n\n" + blocks).replacing("\n", with: end)).description == expected)
        }
    }

    @Test("Captions that roll keep the words of each cue")
    func rolling() {
        let blocks = """
            00:00.000 --> 00:02.000 align:start position:0%
            \u{20}
            so<00:00:00.500><c> it</c><00:00:01.000><c> rains</c>

            00:02.000 --> 00:02.010 align:start position:0%
            so it rains
            \u{20}

            00:02.010 --> 00:04.000 align:start position:0%
            so it rains
            on<00:00:02.500><c> the</c><00:00:03.000><c> quay</c>
            """
        #expect(cues(blocks) == "0-2 so it rains\n2-2.01 so it rains\n2.01-4 so it rains on the quay")
    }

    @Test(
        "Tags are removed, references are decoded and line breaks are spaces",
        arguments: [
            ("<i>a</i> <b>b</b> <u>c</u> <c.loud.red>d</c> <lang en>e</lang>", "a b c d e"),
            ("one<00:00:01.000>two<00:00:02.000> three", "onetwo three"), ("a\nb", "a b"), (" a  b ", "a b"),
            ("R&amp;B &lt;b&gt; &nbsp;&lrm;&#233;&x;", "R&B <b> é&x;"), ("a < b, b > c", "a < b, b > c"),
            ("<ruby>base<rt>top</rt></ruby>", "basetop"), ("an <open tag", "an <open tag"), ("a<br>b", "a b"),
            ("bell\u{7}\u{1B}[31m\u{202E}x\u{200B}", "bell[31mx"), ("<", "<"),
        ])
    func text(_ text: String, _ expected: String) {
        #expect(cues("00:01.000 --> 00:02.000\n" + text) == "1-2 " + expected)
    }

    @Test(
        "A voice tag names the speaker",
        arguments: [
            ("<v Mary>Hi</v>", "1-2 Mary: Hi"), ("<v Mary Ann>Hi", "1-2 Mary Ann: Hi"),
            ("<v.first.loud Mary>Hi", "1-2 Mary: Hi"), ("<v R&amp;B>Hi", "1-2 R&B: Hi"), ("<v>Hi", "1-2 Hi"),
            ("<v Mary>Hi</v> <v John>Ho</v>", "1-2 Mary: Hi\n1-2 John: Ho"), ("Oh <v Mary>Hi", "1-2 Oh\n1-2 Mary: Hi"),
            ("<v Mary>Hi</v> oh", "1-2 Mary: Hi\n1-2 oh"), ("<v Mary>- <i>Hi</i>", "1-2 Mary: - Hi"),
        ])
    func voices(_ text: String, _ expected: String) {
        #expect(cues("00:01.000 --> 00:02.000\n" + text) == expected)
    }

    @Test(
        "The header is left out, and its language is used if the feed gives none",
        arguments: [
            "WEBVTT\n\n", "\u{FEFF}WEBVTT\n\n", "\u{FEFF}\u{FEFF}WEBVTT\n\n", "WEBVTT - A title\n\n", "WEBVTT\n",
            "WEBVTT\nKind: captions\nLanguage: de-AT\n\n", "WEBVTT\r\n\r\n", "WEBVTT\r\r", "\nWEBVTT\n\n",
        ])
    func header(_ header: String) {
        let document = header + "00:01.000 --> 00:02.000\nHi"
        #expect(TranscriptDump(document).description == "1-2 Hi")
        let language = header.contains("de-AT") ? "de-AT" : nil
        #expect(TranscriptDump(document).transcript?.language == language)
        #expect(TranscriptDump(document, language: "en").transcript?.language == "en")
    }

    @Test("Captions that lack the header are read if they are declared")
    func declared() {
        #expect(
            TranscriptDump("00:01.000 --> 00:02.000\nHi\n\nnot a cue", type: "text/vtt").description
                == "1-2 Hi not a cue")
    }
}
