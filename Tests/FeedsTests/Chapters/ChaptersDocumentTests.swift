// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Feeds

@Suite("ChaptersDocument")
struct ChaptersDocumentTests {
    private static let base = "https://host.example/show/1.json"

    private func list(_ document: String) throws(ChaptersDocument.Failure) -> [Chapter] {
        try Self.list(Array(document.utf8))
    }

    private static func list(_ document: [UInt8]) throws(ChaptersDocument.Failure) -> [Chapter] {
        var result: Result<ChapterList, ChaptersDocument.Failure> = .failure(.notChapters)
        document.withUnsafeBytes { bytes in
            do throws(ChaptersDocument.Failure) {
                result = .success(try ChaptersDocument.parse(bytes, baseURL: base))
            } catch {
                result = .failure(error)
            }
        }
        let list = try result.get()
        #expect(list.source == .json)
        return list.chapters
    }

    @Test("All fields of version 1.2 are read")
    func all() throws {
        let document = """
            {"version": "1.2.0", "author": "A", "title": "Show", "waypoints": true, "chapters": [
              {"startTime": 0, "title": "Intro &amp; \\u00fcber", "img": "i.png", "url": "/about"},
              {"startTime": 71.5, "endTime": 92, "title": "Place", "location": {"name": "title", "startTime": 5,
                "geo": "geo:1,2", "osm": ["R1"]}},
              {"startTime": 80.0004, "toc": false, "img": "https://x.example/i.jpg"},
              {"startTime": 1e2, "toc": true, "title": null, "url": "javascript:x"}
            ], "startTime": 9}
            """
        let expected = [
            Chapter(
                start: .zero, title: "Intro & über", url: "https://host.example/about",
                image: .url("https://host.example/show/i.png")),
            Chapter(start: .milliseconds(71_500), end: .seconds(92), title: "Place"),
            Chapter(start: .seconds(80), image: .url("https://x.example/i.jpg"), isInTableOfContents: false),
            Chapter(start: .seconds(100)),
        ]
        let found = try list(document)
        #expect(found == expected)
    }

    @Test(
        "A start is a number of seconds, or a text with a time; a chapter without one is omitted",
        arguments: [
            ("12", 12_000), ("12.25", 12_250), ("\"12.5\"", 12_500), ("\"1:02:03\"", 3_723_000),
            ("\"00:05.500\"", 5_500),
            ("0", 0), ("-0", 0), ("-1", nil), ("1e99", nil), ("nan", nil), ("Infinity", nil), ("null", nil),
            ("{}", nil),
            ("[1]", nil), ("true", nil), ("\"\"", nil), ("9999999999999999999999", nil), ("\"x\"", nil),
        ] as [(String, Int?)])
    func starts(value: String, milliseconds: Int?) throws {
        let chapters = try list("{\"chapters\":[{\"startTime\":\(value),\"title\":\"a\"}]}")
        #expect(chapters.first?.start == milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "Publishers' mistakes are tolerated",
        arguments: [
            "{\"chapters\":[{\"startTime\":1,\"title\":\"a\",},{\"startTime\":2,\"title\":\"b\"},]}",
            "{\"chapters\":[{\"startTime\":1 \"title\":\"a\"}{\"startTime\":2,\"title\":\"b\"}]",
            "\u{FEFF}{\"chapters\":[{\"starttime\":1,\"title\":\"a\"},{\"startTime\":2,\"title\":\"b\"}]}",
            "[{\"startTime\":2,\"title\":\"b\"},{\"startTime\":1,\"title\":\"a\"}]",
            "{\"chapters\":[{\"startTime\":1,\"title\":\"a\"},null,7,\"x\",[],{\"title\":\"c\"},"
                + "{\"startTime\":2,\"title\":\"b\"}]}",
        ])
    func mistakes(document: String) throws {
        #expect(try list(document).map(\.title) == ["a", "b"])
    }

    @Test("A document in UTF-16 is read")
    func utf16() throws {
        let document = "{\"chapters\":[{\"startTime\":1,\"title\":\"ä\"}]}"
        let bytes =
            [0xFE, 0xFF] + document.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        #expect(try Self.list(bytes).map(\.title) == ["ä"])
    }

    @Test("An empty list is not a failure")
    func empty() throws { #expect(try list("{\"chapters\":[]}") == []) }

    @Test(
        "Another document fails",
        arguments: [
            "", " ", "<!DOCTYPE html><html>[1]</html>", "{}", "{\"items\":[{\"startTime\":1}]}", "null",
            "{\"chapters\":{}}",
        ])
    func otherDocuments(document: String) {
        #expect(throws: ChaptersDocument.Failure.notChapters) { try Self.list(Array(document.utf8)) }
    }

    @Test("A document of more than 8 MiB is refused, and one below has at most 10,000 chapters")
    func limits() throws {
        #expect(throws: ChaptersDocument.Failure.tooLarge(limit: 8 << 20)) {
            try Self.list([UInt8](repeating: 0x20, count: 8 << 20 | 1))
        }
        let many = (0..<20_000).flatMap { Array("{\"startTime\":\($0)},".utf8) }
        #expect(try Self.list(Array("[".utf8) + many).count == 10_000)
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(try Self.list(Array("{\"chapters\":".utf8) + deep) == [])
        let long = "[{\"startTime\":1,\"title\":\"" + String(repeating: "x", count: 1_000_000)
        #expect(try list(long + "\"}]").first?.title?.count == 500)
        #expect(try list(long).isEmpty)
    }

    private static let document = Array(
        """
        {"version":"1.2.0","chapters":[{"startTime":0,"title":"One","img":"a.png"},{"startTime":12.5,"toc":false,\
        "location":{"name":"x"}},{"startTime":123.75,"endTime":200,"title":"\\u0054hree","url":"https://x.example/"}]}
        """.utf8)

    @Test("A document cut at any byte has the complete chapters only")
    func cut() throws {
        let whole = try Self.list(Self.document)
        #expect(whole.count == 3)
        for end in 0..<Self.document.count {
            let part = (try? Self.list(Array(Self.document[..<end]))) ?? []
            #expect(part == Array(whole.prefix(part.count)), "at byte \(end)")
        }
    }

    @Test("Damage neither traps nor loops", arguments: 0..<LongTests.size(300, inFull: 20_000))
    func damage(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var bytes = Self.document
        for _ in 0..<Int.random(in: 1...10, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
            case 1: bytes.remove(at: place)
            default: bytes.insert(contentsOf: Array("{}[],:\"\\e9".utf8).shuffled(using: &generator), at: place)
            }
        }
        let list = (try? Self.list(bytes)) ?? []
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.start < $1.start })
    }
}
