// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("OPML")
struct OPMLTests {
    private func read(_ document: [UInt8], pieces: Int = .max) throws -> OPML {
        let parser = OPMLParser()
        var rest = document[...]
        while !rest.isEmpty {
            try Array(rest.prefix(pieces)).withUnsafeBytes { try parser.consume($0) }
            rest = rest.dropFirst(pieces)
        }
        return try parser.finish()
    }

    private func read(_ document: String) throws -> OPML { try read(Array(document.utf8)) }

    private func body(_ outlines: String) throws -> OPML {
        try read("<opml version='1.0'><head/><body>\(outlines)</body></opml>")
    }

    private static let nested = """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0"><head><title>Mine &amp; yours</title><ownerName>x</ownerName></head>
        <body>
        <outline text="News">
          <outline type="rss" text="One" title="One" xmlUrl="https://one.example/feed" htmlUrl="https://one.example/"/>
          <outline text="Daily"><outline text="Two &#x2013; a" xmlUrl="https://two.example/?a=1&b=2"/></outline>
        </outline>
        <outline type="rss" text="Three" xmlUrl="ftp://three.example/"/>
        <outline TEXT="Four" XMLURL="https://four.example/feed"></outline>
        </body></opml>
        """

    @Test("Entries are read in order with their groups, and refused ones are reported with their line")
    func readsNested() throws {
        let list = try read(Self.nested)
        #expect(list.title == "Mine & yours")
        #expect(
            list.entries == [
                .init(title: "One", url: "https://one.example/feed", group: ["News"]),
                .init(title: "Two – a", url: "https://two.example/?a=1&b=2", group: ["News", "Daily"]),
                .init(title: "Four", url: "https://four.example/feed"),
            ])
        #expect(list.refused == [.init(line: 8, excerpt: "Three", reason: .scheme("ftp"))])
    }

    @Test(
        "The result does not depend on the pieces, and a truncated list produces its first entries",
        arguments: [1, 2, 3, 7, 50])
    func cuts(pieces: Int) throws {
        let document = Array(Self.nested.utf8)
        let whole = try read(document)
        #expect(try read(document, pieces: pieces) == whole)
        for length in stride(from: 140, to: document.count, by: 5) {
            let cut = try read(Array(document.prefix(length)), pieces: pieces)
            #expect(cut.entries.elementsEqual(whole.entries.prefix(cut.entries.count)))
            #expect(cut.isTruncated && !whole.isTruncated)
        }
    }

    @Test(
        "Usual variants of a feed address are accepted",
        arguments: [
            ("https://x.example/f", "https://x.example/f"), (" https://x.example/f\n", "https://x.example/f"),
            ("HTTPS://X.example/F", "https://X.example/F"), ("https://x.example/a b", "https://x.example/a%20b"),
            ("feed:https://x.example/f", "https://x.example/f"), ("feed://x.example/f", "http://x.example/f"),
            ("pcast://x.example/f", "http://x.example/f"), ("itpc://x.example/f", "http://x.example/f"),
            ("Feed:http://x.example/f", "http://x.example/f"), ("podcast://x.example/f", "http://x.example/f"),
            ("//x.example/f", "https://x.example/f"), ("https://x.example?a=1&b=2", "https://x.example?a=1&b=2"),
            ("https://me:secret@x.example/f", "https://me:secret@x.example/f"),
        ])
    func takes(address: String, url: String) throws {
        let list = try body("<outline text='t' xmlUrl='\(address)'/>")
        #expect(list.entries.map(\.url) == [url] && list.refused.isEmpty)
    }

    @Test(
        "An address that is not a feed address is refused with the reason",
        arguments: [
            ("", .noAddress), ("  ", .noAddress), ("feed.xml", .notURL("feed.xml")), ("/f.xml", .notURL("/f.xml")),
            ("www.x.example/feed", .notURL("www.x.example/feed")), ("not a url", .notURL("not a url")),
            ("javascript:alert(1)", .scheme("javascript")),
            ("file:///etc/passwd", .scheme("file")), ("ftp://x.example/f", .scheme("ftp")),
            ("data:text/xml,x", .scheme("data")), ("http://", .noHost), ("https:///f", .noHost), ("feed:", .noAddress),
            ("https://podcasts.apple.com/us/podcast/x/id1234", .applePage),
            ("https://itunes.apple.com/us/podcast/x/id1234", .applePage),
            ("https://Podcasts.Apple.com:443/x", .applePage), ("feed:javascript:x", .scheme("javascript")),
        ] as [(String, OPML.Refusal.Reason)])
    func refuses(address: String, reason: OPML.Refusal.Reason) throws {
        let list = try body("\n<outline text='t' type='rss' xmlUrl='\(address)'/>")
        #expect(list.entries.isEmpty)
        #expect(list.refused == [.init(line: 2, excerpt: "t", reason: reason)])
    }

    @Test("A duplicate feed is read once")
    func duplicates() throws {
        let list = try body(
            "<outline text='a' xmlUrl='https://x.example/f'/>\n<outline text='b' xmlUrl='http://X.example/f/'/>")
        #expect(list.entries.map(\.title) == ["a"])
        #expect(list.refused == [.init(line: 2, excerpt: "b", reason: .duplicate(line: 1))])
    }

    @Test(
        "A malformed list is repaired",
        arguments: [
            "<opml><outline text='a' xmlUrl='https://x.example/f'/></opml>",
            "<body><outline text='a' xmlUrl='https://x.example/f'/></body>",
            "junk <opml><body><outline text='a' xmlUrl='https://x.example/f'/>",
            "<opml><body><outline text=a xmlUrl=https://x.example/f></body></opml>",
            "<OPML><Body><Outline Text='a' xmlurl='https://x.example/f'/></Body></OPML>",
            "<opml><body><outline title='a' url='https://x.example/f' type='rss'/></body></opml>",
            "<opml><body><outline text='' title='a' feedUrl='https://x.example/f'/></body></opml>",
            "<opml><body><foo><outline text=' a\n' xmlUrl='https://x.example/f'/></foo></body></opml>",
            "<opml><body><outline text='a' xmlUrl='https://x.example/f'></b></outline></body></opml>",
            "<!DOCTYPE opml><opml><body><outline><outline text='a' xmlUrl='https://x.example/f'/></opml>",
            "<?xml version='1.0' encoding='utf-16'?><opml><body><outline text='a' xmlUrl='https://x.example/f'/>",
        ])
    func repairs(document: String) throws {
        #expect(try read(document).entries == [.init(title: "a", url: "https://x.example/f")])
    }

    @Test("Unclosed outlines are siblings")
    func unended() throws {
        let list = try body((0..<500).map { "<outline text='\($0)' xmlUrl='https://x.example/\($0)'>" }.joined())
        #expect(list.entries.count == 500 && list.entries.allSatisfy(\.group.isEmpty))
    }

    @Test("An entry without a title is kept, and one without a feed address is refused")
    func untitled() throws {
        let list = try body(
            "<outline xmlUrl='https://x.example/f'/><outline text='p' htmlUrl='https://y.example/'/>"
                + "<outline type='include' text='l' url='https://z.example/l.opml'/><outline text='empty'></outline>")
        #expect(list.entries == [.init(title: nil, url: "https://x.example/f")])
        #expect(list.refused == [.init(line: 1, excerpt: "p", reason: .noAddress)])
    }

    @Test(
        "A document that is not OPML is refused with its kind",
        arguments: [
            ("", .notOPML(.empty)), ("{}", .notOPML(.otherJSON)), ("words", .notOPML(.notMarkup)),
            ("<html><body>", .notOPML(.htmlPage)), ("<rss></rss>", .notOPML(.unknownRoot("rss"))),
            ("ID3\u{3}\u{1}<W>\u{2}", .notOPML(.notMarkup)),
        ] as [(String, OPMLError)])
    func strangers(document: String, error: OPMLError) {
        #expect(throws: error) { try read(document) }
    }

    @Test("A written list is read back unchanged")
    func roundTrip() throws {
        let list = OPML(
            title: "<Mine> & \"yours\"",
            entries: [
                .init(title: "A & B <c> \"d\" 'e' &amp;", url: "https://x.example/?a=1&b=2", group: ["G & H"]),
                .init(title: nil, url: "https://x.example/2", group: ["G & H", "Inner"]),
                .init(title: "日本語", url: "https://x.example/3", group: ["Other", "Inner"]),
                .init(title: "]]>", url: "https://x.example/4"),
                .init(title: "again", url: "https://x.example/5", group: ["G & H"]),
            ])
        #expect(try read(list.document) == list)
        #expect(try read(list.document).document == list.document)
    }

    @Test("A random list is read back unchanged")
    func anyRoundTrip() throws {
        var random = SeededGenerator(seed: 5)
        let words = ["a", "&", "<b>", "\"", "é", "😀", "&lt;", "]]>", "x y", "--", "'"]
        for _ in 0..<200 {
            let entries = (0..<Int(random.next() % 12)).map { number in
                OPML.Entry(
                    title: random.next() % 4 == 0 ? nil : words.randomElement(using: &random),
                    url: "https://x.example/\(number)?\(random.next() % 9)&y",
                    group: (0..<(random.next() % 4)).compactMap { _ in words.randomElement(using: &random) })
            }
            let list = OPML(title: words.randomElement(using: &random), entries: entries)
            #expect(try read(list.document) == list)
        }
    }
}
