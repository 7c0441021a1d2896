// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Reports of repairs")
struct FeedRepairTests {
    private func repairs(_ document: [UInt8], pieces: Int = .max, limit: Int = 50) throws -> [String] {
        let parser = FeedParser(baseURL: nil, repairs: limit)
        var rest = document[...]
        while !rest.isEmpty {
            try Array(rest.prefix(pieces)).withUnsafeBytes { try parser.consume($0) }
            rest = rest.dropFirst(pieces)
        }
        return try parser.finish().repairs.map(\.description)
    }

    private func inItem(_ text: String) -> [UInt8] {
        Array("<rss>\n<channel><item>\n\(text)</item></channel></rss>".utf8)
    }

    @Test(
        "Each kind of fault is reported with its line",
        arguments: [
            ("<title>fine &amp; well</title>", nil), ("a & b", "line 3: bare ampersand"), ("a\n< b", "line 4: bare <"),
            ("&eacute;", "line 3: undeclared entity &eacute;"), ("\n<b>x", "line 4: unclosed <b>"),
            ("</b>", "line 3: </b> without a start tag"),
            ("<title>x</title\n<link/>", "line 3: unterminated tag"),
            ("<a@b>", "line 3: < and > around text that is not a tag"),
            ("<itunes:title>x</itunes:title>", "line 3: undeclared prefix itunes"),
            ("a\u{8}b", "line 3: control character"),
            ("&#8;", "line 3: control character"),
            ("<pubDate>\nsoon</pubDate>", "line 4: unreadable date: soon"),
            ("&copy;&copy;\n&copy;", "line 3: undeclared entity &copy; (3 times)"),
            ("<a x='\(String(repeating: "y", count: 70_000))'/>", "line 3: overlong tag"),
            (
                String(repeating: "<x>", count: 70) + String(repeating: "</x>", count: 70),
                "line 3: elements nested too deeply (9 times)"
            ),
        ])
    func kinds(_ text: String, _ expected: String?) throws {
        let expected = expected.map { [$0] } ?? []
        #expect(try repairs(inItem(text)) == expected)
        #expect(try repairs(inItem(text), pieces: 1) == expected)
    }

    @Test(
        "Faults of the whole document are reported",
        arguments: [
            ("junk\n<rss><channel/></rss>", "line 1: junk before the root element"),
            ("<rss>\n<channel>\n<title>t", "line 3: the document ends inside its root element"),
            (
                "<?xml version='1.0' encoding='klingon'?><rss><channel/></rss>",
                "line 1: unknown encoding klingon, read as UTF-8"
            ),
            (
                "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>é</title></channel></rss>",
                "line 1: the declared encoding is iso-8859-1, the real one UTF-8"
            ),
            (
                "\u{FEFF}<?xml version='1.0' encoding='koi8-r'?><rss><channel/></rss>",
                "line 1: the declared encoding is koi8-r, the real one UTF-8"
            ),
        ])
    func documents(_ document: String, _ expected: String) throws {
        for pieces in [1, 7, .max] { #expect(try repairs(Array(document.utf8), pieces: pieces).contains(expected)) }
    }

    @Test("Bytes that are not valid in the charset are reported", arguments: [1, 5, .max])
    func bytes(pieces: Int) throws {
        let document = Array("<rss>\n<channel><title>caf".utf8) + [0xE9] + Array("</title></channel></rss>".utf8)
        #expect(try repairs(document, pieces: pieces) == ["line 2: invalid UTF-8, read as windows-1252"])
        let head = "<?xml version='1.0' encoding='euc-jp'?>\n<rss><channel><title>"
        let japanese = Array(head.utf8) + [0xC6, 0xFC, 0xFF] + Array("</title></channel></rss>".utf8)
        #expect(try repairs(japanese, pieces: pieces) == ["line 2: invalid bytes in EUC-JP-MS"])
    }

    @Test("The number and the length of the reports are limited")
    func bounded() throws {
        let many = (0..<200).map { "<x\($0):y/>" }.joined()
        #expect(try repairs(inItem(many)).count == 50)
        #expect(try repairs(inItem(many), limit: 0).isEmpty)
        let long = try repairs(inItem("<pubDate>\(String(repeating: "\n\u{1B}", count: 90))x</pubDate>"))
        #expect(long.allSatisfy { $0.utf8.count < 120 && $0.utf8.allSatisfy { $0 >= 0x20 } })
    }

    @Test(
        "A correct feed produces no reports", arguments: ["plain", "itunes", "cdata", "rss-1.0", "no-enclosure"])
    func silent(name: String) throws {
        #expect(try repairs(Fixture(name: name).bytes()) == [])
    }
}
