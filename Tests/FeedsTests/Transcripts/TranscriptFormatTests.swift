// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("The format of a transcript")
struct TranscriptFormatTests {
    private static let documents: [(document: String, dump: String)] = [
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nHi &amp; ho", "1-2 Hi & ho"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi", "1-2 Hi"),
        ("{\"segments\": [{\"startTime\": 1, \"endTime\": 2, \"body\": \"Hi\"}]}", "1-2 Hi"),
        ("<p>Hi</p>", "Hi"), ("<html>Hi", "Hi"), ("Hi", "Hi"),
    ]

    @Test(
        "The content decides about the format, whatever is declared", arguments: documents.indices,
        [nil, "text/plain", "text/html", "application/octet-stream"])
    func content(index: Int, type: String?) {
        let (document, dump) = Self.documents[index]
        #expect(TranscriptDump(document, type: type).description == dump)
    }

    @Test(
        "A text or a page in place of declared captions is refused", arguments: ["<p>Please log in</p>", "Not found"],
        ["text/vtt", "application/x-subrip", "application/json; charset=utf-8"])
    func refused(document: String, type: String) {
        #expect(TranscriptDump(document, type: type).error == .otherFormat)
    }

    @Test(
        "Captions are read whatever captions are declared", arguments: 0..<3,
        ["text/vtt", "text/srt", "application/json"])
    func captions(index: Int, type: String) {
        #expect(TranscriptDump(Self.documents[index].document, type: type).description == Self.documents[index].dump)
    }

    @Test(
        "Binary and empty documents are refused",
        arguments: [
            ("", .empty), (" \n\r\n", .empty), ("\u{FEFF}", .empty), ("\u{1}\u{2}", .empty),
            ("WEBVTT\n\nNOTE x", .empty),
            ("%PDF-1.7\n1 0 obj", .otherFormat), ("{\\rtf1 Hi}", .otherFormat),
            ("PK\u{3}\u{4}\u{0}\u{0}", .otherFormat),
        ] as [(String, TranscriptError)])
    func noTranscript(document: String, error: TranscriptError) {
        #expect(TranscriptDump(document).error == error)
    }

    @Test("All charsets give the same transcript")
    func charsets() {
        let document = "WEBVTT\n\n00:01.000 --> 00:02.000\nÜber 5 € „gut“"
        let pairs = document.utf16.map { (low: UInt8($0 & 0xFF), high: UInt8($0 >> 8)) }
        let little = pairs.flatMap { pair -> [UInt8] in [pair.low, pair.high] }
        let big = pairs.flatMap { pair -> [UInt8] in [pair.high, pair.low] }
        let codes: [Unicode.Scalar: UInt8] = ["€": 0x80, "„": 0x84, "“": 0x93]
        let windows = document.unicodeScalars.map { codes[$0] ?? UInt8($0.value) }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        for bytes in [
            Array(document.utf8), mark + document.utf8, [0xFF, 0xFE] + little, big, [0xFE, 0xFF] + big, windows,
        ] {
            #expect(TranscriptDump(bytes).description == "1-2 Über 5 € „gut“")
        }
        let type = "text/vtt; charset=windows-1252"
        #expect(TranscriptDump(windows, contentType: type).description == "1-2 Über 5 € „gut“")
    }

    @Test(
        "A declaration is a type, or else the extension of the URL",
        arguments: [
            ("text/vtt", "", .webVTT), ("text/VTT; charset=utf-8", "", .webVTT), ("application/x-subrip", "", .subRip),
            ("application/srt", "", .subRip), ("application/json", "", .json), ("text/html", "", .html),
            ("application/xhtml+xml", "", .html), ("text/plain", "", .text), (nil, "a.vtt", .webVTT),
            ("application/octet-stream", "https://h.example/a.SRT?x=.vtt", .subRip), (nil, "a.htm", .html),
            ("text/vtt", "a.json", .webVTT), ("application/pdf", "a.pdf", nil), (nil, "a", nil), ("", "", nil),
        ] as [(String?, String, TranscriptFormat?)])
    func declared(type: String?, url: String, format: TranscriptFormat?) {
        #expect(TranscriptFormat(type: type, url: url) == format)
    }

    @Test(
        "The best link has the language of the feed, and then the format with the most information",
        arguments: [
            ("text/plain: text/html: application/json: text/srt: text/vtt:", "en", "text/vtt:"),
            ("text/plain: text/html: application/json: application/x-subrip:", "en", "application/x-subrip:"),
            ("text/vtt:de text/plain:en", "en", "text/plain:en"), ("text/vtt:de text/plain:", "en", "text/plain:"),
            ("text/vtt:en-GB text/plain:en-US", "en-us", "text/plain:en-US"),
            ("text/vtt:de text/vtt:en-GB", "en", "text/vtt:en-GB"),
            ("text/vtt:en text/srt:de", "fr de", "text/srt:de"), ("text/vtt:de text/srt:en", "fr", "text/vtt:de"),
            ("text/vtt:de text/srt:en", "", "text/vtt:de"), ("text/vtt:de_DE text/srt:en", "de-de", "text/vtt:de_DE"),
            ("text/a: text/plain:", "en", "text/plain:"), ("text/a:", "en", "text/a:"), ("application/pdf:", "en", ""),
            ("", "en", ""),
        ])
    func choice(links: String, languages: String, expected: String) {
        let list = links.split(separator: " ").map { link in
            let parts = link.split(separator: ":").map(String.init)
            return ParsedTranscript(url: "u", type: parts[0], language: parts.count > 1 ? parts[1] : nil)
        }
        let best = Transcript.choice(of: list, languages: languages.split(separator: " ").map(String.init))
        #expect(best.map { "\($0.type ?? ""):\($0.language ?? "")" } ?? "" == expected)
    }
}
