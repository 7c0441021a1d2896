// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("Damaged and hostile transcripts")
struct TranscriptDamageTests {
    /// A small document of each format.
    private static let documents = [
        "WEBVTT\nLanguage: en\n\nNOTE x\n\n1\n00:01.000 --> 00:02.000 align:start\n<v Mary Ann>Caf\u{E9} "
            + "<i>&amp;</i> tea.\n\n00:02.000 --> 00:04.500\n<v.loud John>No,\n日本。</v> <00:03.000>ok\n",
        "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000\r\nMary: Caf\u{E9} {\\an8}&amp; tea.\r\n\r\n2\r\n00:00:02,000 --> "
            + "00:00:04,500\r\nJohn: No,\r\n日本。\r\n\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\nok\r\n",
        #"{"version": "1.0.0", "segments": [{"speaker": "Mary", "startTime": 0.5, "endTime": 1e0, "body": "Caf\u00e9"}"#
            + #", {"startTime": "1", "body": "\ud83d\ude00 tea. \n"}, {"body": "日本。", "x": [1, {"text": "a"}]}]}"#,
        "<!DOCTYPE html><html lang=en><body><cite>Mary:</cite>\n<time>0:01</time>\n<p>Caf&eacute; <b>tea</b>.</p>"
            + "<p><cite>John</cite><time>May 1</time>日本。<br>x<script>y</script></p>",
        "Mary: Caf\u{E9}\nand tea.\n\nJohn: 日本。\n\n  [Music] \n",
    ]

    /// Checks the properties that every result has.
    private func check(_ dump: TranscriptDump, _ limits: TranscriptLimits = TranscriptLimits()) {
        guard let transcript = dump.transcript else { return }
        #expect(!transcript.cues.isEmpty && transcript.cues.count <= limits.cues)
        let starts = transcript.cues.compactMap(\.start)
        #expect(starts.isEmpty || starts.count == transcript.cues.count)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 })
        for cue in transcript.cues {
            let texts = [cue.text, cue.speaker ?? "x"]
            #expect(
                texts.allSatisfy {
                    !$0.isEmpty && !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
                })
            #expect(cue.text.utf8.count <= limits.textBytes)
        }
        for second in [0, 1, 3, 1000] { _ = transcript.cue(at: .seconds(second)) }
        #expect(transcript.lines(width: 30).allSatisfy { !$0.contains("\n") })
    }

    @Test("A document truncated at any byte causes no trap", arguments: documents)
    func truncated(document: String) {
        let bytes = Array(document.utf8)
        for length in 0...bytes.count {
            for type in [nil, "text/vtt", "text/srt", "application/json", "text/html", "text/plain"] {
                check(TranscriptDump(Array(bytes[..<length]), type: type))
            }
            check(TranscriptDump(Array(bytes[length...])))
        }
    }

    @Test("A truncated document keeps the cues before the cut", arguments: 0..<2)
    func keepsCues(index: Int) throws {
        let bytes = Array(Self.documents[index].utf8)
        let type = ["text/vtt", "text/srt"][index]
        let whole = try #require(TranscriptDump(bytes).transcript).cues
        for length in 0..<bytes.count {
            let cues = TranscriptDump(Array(bytes[..<length]), type: type).transcript?.cues ?? []
            #expect(cues.dropLast().elementsEqual(whole.prefix(max(0, cues.count - 1))), "truncated at \(length)")
        }
        #expect(whole.count == [3, 3][index])
    }

    private static let splinters = [
        "<", ">", "&", "-->", "\n", "\n\n", "\r", "00:00:01,000 --> 00:00:02,000\n", "99999999999:00", "<v ", "</v>",
        "{\\",
        "}", "[", "]", "{", "\"", ":", "Mary: ", "\u{0}", "\u{1B}", "\u{FEFF}", "&#x1F600;", "<cite>", "<time>", "</p>",
        "<p>", "\\ud83c", "1e999", "WEBVTT", "\u{202E}", "e\u{301}", "NOTE", "-0:-1.5",
    ].map { Array($0.utf8) }

    @Test("Random edits cause no trap", arguments: documents, 0..<4 as Range<UInt64>)
    func edited(document: String, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<LongTests.size(150, inFull: 3000) {
            var bytes = Array(document.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, index + Int.random(in: 1...24, using: &random))
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.removeSubrange(index..<end)
                case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
                default: bytes.insert(contentsOf: Self.splinters.randomElement(using: &random) ?? [], at: index)
                }
            }
            check(TranscriptDump(bytes, type: ["text/vtt", "text/html", nil].randomElement(using: &random) ?? nil))
        }
    }

    /// Fragments that could make a reader search the rest of the document again for each of them.
    @Test(
        "The time and memory for a hostile document grow with its size only",
        arguments: [
            "<", "<v", "<v x", "{\\", "-->", "--", "\n-->", "00:00 --> 00:01\n", "00:00 --> 00:01\n\n", "\n", "a\n\n",
            "1\n", "&#0",
            "<p>", "<cite>", "<time>", "<script>", "<!--", "{\"text\":", "[{\"text\":\"a\"},", "[{", "\"", "\\u00", ":",
            "A: ",
            "A: b\n", "\u{202E}", "0:0 --> ", "é",
        ])
    func hostile(fragment: String) {
        let length = LongTests.size(16 << 10, inFull: 1 << 20)
        let most = TranscriptLimits()
        for start in ["", "WEBVTT\n\n00:00.000 --> 00:01.000\n", "00:00 --> 00:01\n", "{\"segments\":[", "<p>"] {
            let bytes =
                Array(start.utf8)
                + Array(repeatElement(Array(fragment.utf8), count: length / fragment.utf8.count).joined())
            guard let transcript = TranscriptDump(Array(bytes.prefix(length))).transcript else { continue }
            #expect(transcript.cues.count <= most.cues)
            #expect(transcript.cues.allSatisfy { $0.text.utf8.count <= most.textBytes })
        }
    }

    @Test("A long text is divided, a long name is cut, and a document with too many bytes or cues is refused")
    func limits() {
        var limits = TranscriptLimits()
        (limits.totalBytes, limits.cues, limits.textBytes, limits.speakerBytes) = (200, 3, 10, 8)
        let cue = { (text: String) in "00:01.000 --> 00:02.000\n\(text)\n\n" }
        let dump = { (texts: String...) in
            TranscriptDump("WEBVTT\n\n" + texts.map(cue).joined(), limits: limits).description
        }
        #expect(dump("a", "b", "c") == "1-2 a\n1-2 b\n1-2 c")
        #expect(dump("a", "b", "c", "d") == "the transcript has more than 3 lines")
        #expect(dump("one two three four") == "1-2 one two\n1-2 three four")
        #expect(dump("onetwothreefour five") == "1-2 onetwothre\n1-2 efour five")
        #expect(dump("日本語日本") == "1-2 日本語\n1-2 日本")
        #expect(dump("<v Mary Ann Miller>a") == "1-2 Mary Ann: a")
        #expect(dump("<v 日本語日本>a") == "1-2 日本: a")
        #expect(TranscriptDump(String(repeating: "a", count: 201), limits: limits).error == .tooLarge(limit: 200))
        let words = String(repeating: "a ", count: 100)
        #expect(TranscriptDump(words, limits: limits).error == .tooLong(limit: 3))
        #expect(TranscriptDump("<p>\(words.prefix(150))", limits: limits).error == .tooLong(limit: 3))
        #expect(TranscriptDump("[{\"text\": \"\(words.prefix(150))\"}]", limits: limits).error == .tooLong(limit: 3))
    }
}
