// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: links and GUIDs")
struct LinkSpecification {
    @Test(
        "A link is an absolute web address",
        arguments: [
            ("<link>https://x.example/1</link>", "https://x.example/1"),
            ("<link> https://x.example/1\n</link>", "https://x.example/1"),
            ("<link><![CDATA[https://x.example/?a=1&b=2]]></link>", "https://x.example/?a=1&b=2"),
            ("<link>https://x.example/?a=1&amp;b=2</link>", "https://x.example/?a=1&b=2"),
            ("<link>https://x.example/?a=1&amp;amp;b=2</link>", "https://x.example/?a=1&b=2"),
            ("<link>https://x.example/?a=1&b=2</link>", "https://x.example/?a=1&b=2"),
            ("<link>/1</link>", "https://feed.example/1"),
            ("<link>1</link>", "https://feed.example/show/1"), ("<link>../1</link>", "https://feed.example/1"),
            ("<link>?e=1</link>", "https://feed.example/show/feed.xml?e=1"),
            ("<link>//y.example/1</link>", "https://y.example/1"),
            ("<link>https://x.example/a b</link>", "https://x.example/a%20b"),
            ("<link>HTTP://X.example/</link>", "http://X.example/"),
            ("<link>javascript:alert(1)</link>", nil), ("<link>mailto:a@x.example</link>", nil),
            ("<link>file:///etc/x</link>", nil),
            ("<link>data:text/html,x</link>", nil), ("<link/>", nil), ("<link></link>", nil),
            ("<link>ftp://x.example/1</link>", nil),
            ("<link href='https://x.example/1'/>", "https://x.example/1"),
            ("<link href='https://x.example/2'>https://x.example/1</link>", "https://x.example/1"),
            ("<link rel='self' href='https://x.example/1'/>", nil),
            ("<atom:link href='https://x.example/1'/>", "https://x.example/1"),
            ("<atom:link rel='alternate' href='https://x.example/1'/>", "https://x.example/1"),
            ("<atom:link rel='ALTERNATE' href='/1'/>", "https://feed.example/1"),
            ("<atom:link rel='self' href='https://x.example/1'/>", nil),
            ("<atom:link rel='related' href='https://x.example/1'/>", nil),
            ("<atom:link rel='enclosure' href='https://x.example/1'/>", nil),
            (
                "<atom:link rel='http://www.iana.org/assignments/relation/alternate' href='/1'/>",
                "https://feed.example/1"
            ),
            ("<link></link><link>https://x.example/2</link>", "https://x.example/2"),
            ("<link>https://x.example/1</link><link>https://x.example/2</link>", "https://x.example/1"),
        ] as [(String, String?)])
    func link(_ content: String, _ expected: String?) throws {
        #expect(try episode(content).link == expected)
        #expect(try channel(content).link == expected)
    }

    @Test(
        "The link comes first, then the alternate page, then a permalink GUID, in any order",
        arguments: [
            (["<link>https://x.example/1</link>", "<atom:link href='https://x.example/2'/>"], "https://x.example/1"),
            (["<link>https://x.example/1</link>", "<guid>https://x.example/3</guid>"], "https://x.example/1"),
            (["<link>javascript:x</link>", "<guid>https://x.example/3</guid>"], "https://x.example/3"),
            (["<link/>", "<guid isPermaLink='true'>https://x.example/3</guid>"], "https://x.example/3"),
            (["<atom:link href='https://x.example/2'/>", "<guid>https://x.example/3</guid>"], "https://x.example/2"),
            (
                [
                    "<atom:link type='application/json' href='https://x.example/j'/>",
                    "<atom:link type='text/html' href='https://x.example/h'/>",
                ],
                "https://x.example/h"
            ),
        ])
    func precedence(_ elements: [String], _ expected: String) throws {
        for content in orders(elements) { #expect(try episode(content).link == expected) }
    }

    @Test(
        "Only a GUID that may be a permalink and is a URL substitutes for a link",
        arguments: [
            ("<guid>https://x.example/1</guid>", "https://x.example/1"),
            ("<guid isPermaLink='true'>http://x.example/1</guid>", "http://x.example/1"),
            ("<guid isPermaLink='True'>http://x.example/1</guid>", "http://x.example/1"),
            ("<guid ispermalink='TRUE'>http://x.example/1</guid>", "http://x.example/1"),
            ("<guid isPermaLink='false'>https://x.example/1</guid>", nil),
            ("<guid isPermaLink='False'>https://x.example/1</guid>", nil),
            ("<guid isPermaLink=' false '>https://x.example/1</guid>", nil),
            ("<guid ISPERMALINK='FALSE'>https://x.example/1</guid>", nil),
            ("<guid isPermaLink='true'>urn:uuid:1</guid>", nil), ("<guid>abc</guid>", nil), ("<guid>/1</guid>", nil),
            ("<guid>tag:x.example,2024:1</guid>", nil), ("<guid/>", nil),
            ("<guid isPermaLink=''>https://x.example/1</guid>", "https://x.example/1"),
            ("<guid>www.x.example/1</guid>", nil), ("<guid>javascript:x</guid>", nil),
        ] as [(String, String?)])
    func permalink(_ guid: String, _ expected: String?) throws {
        #expect(try episode(guid).link == expected)
    }

    @Test(
        "A GUID is opaque",
        arguments: [
            ("abc", "abc"), (" abc\n", "abc"), ("ABC-def", "ABC-def"), ("../a/b", "../a/b"),
            ("https://x.example/A/../b", "https://x.example/A/../b"),
            ("https://X.EXAMPLE/a b", "https://X.EXAMPLE/a b"),
            ("https://x.example/?a=1&amp;b=2", "https://x.example/?a=1&b=2"),
            ("<![CDATA[https://x.example/?a=1&b=2]]>", "https://x.example/?a=1&b=2"), ("123", "123"), ("0", "0"),
            ("a  b", "a  b"),
            ("urn:uuid:1225C695", "urn:uuid:1225C695"),
            ("tag:x.example,2024-01-01:/p/1", "tag:x.example,2024-01-01:/p/1"),
            ("//x.example/1", "//x.example/1"), ("é&#233;", "éé"), ("<![CDATA[ x ]]>", "x"),
            ("javascript:1", "javascript:1"),
        ])
    func guid(_ text: String, _ expected: String) throws {
        for base in [feedURL, nil] {
            #expect(try episode("<guid>\(text)</guid>", base: base).id.rawValue == expected)
            #expect(try episode("<guid isPermaLink='false'>\(text)</guid>", base: base).id.rawValue == expected)
            #expect(try entry("<id>\(text)</id>", base: base).id.rawValue == expected)
        }
    }

    @Test(
        "A missing GUID is replaced by a stable identifier",
        arguments: [
            ("<guid/><link>https://x.example/1</link>", "https://x.example/1"),
            ("<guid> </guid><enclosure url='https://x.example/1.mp3'/>", "https://x.example/1.mp3"),
            ("<dc:identifier>d1</dc:identifier><link>https://x.example/1</link>", "d1"),
            ("<atom:id>a1</atom:id>", "a1"),
            ("<atom:id>a1</atom:id><guid>g1</guid>", "g1"), ("<guid/><guid>g2</guid>", "g2"),
            ("<guid>g1</guid><guid>g2</guid>", "g1"),
            ("<title>T</title>", "T"),
            ("<title>T</title><pubDate>Thu, 29 Feb 2024 18:30:00 GMT</pubDate>", "T 2024-02-29T18:30:00Z"),
            ("<GUID>g</GUID>", "g"), ("<Guid>g</Guid>", "g"), ("<podcast:guid>no</podcast:guid><guid>g</guid>", "g"),
        ])
    func identity(_ item: String, _ expected: String) throws {
        #expect(try episode(item).id.rawValue == expected)
    }

    @Test("The substitute identifiers of a feed are unique, and a GUID is never changed")
    func uniqueness() throws {
        let items = [
            "<item/>", "<item/>", "<item><title>T</title></item>", "<item><title>T</title></item>",
            "<item><guid>g</guid></item>",
        ]
        let feed = try channel((items + items).joined())
        #expect(feed.episodes.count == 10)
        let standIns = feed.episodes.filter { $0.guid == nil }.map(\.id)
        #expect(Set(standIns).count == standIns.count)
        #expect(feed.episodes.filter { $0.id.rawValue == "g" }.count == 2)
    }

    @Test("A substitute identifier is the same each time the feed is parsed")
    func stability() throws {
        let items = "<item><enclosure url='https://x.example/1.mp3'/></item><item><title>T</title></item>"
        #expect(try channel(items).episodes.map(\.id) == channel(items).episodes.map(\.id))
    }

    @Test(
        "xml:base is the base of its element and may itself be relative",
        arguments: [
            ("", "a", "https://feed.example/show/a"), ("xml:base='https://b.example/x/'", "a", "https://b.example/x/a"),
            ("xml:base='https://b.example/x/y'", "a", "https://b.example/x/a"),
            ("xml:base='sub/'", "a", "https://feed.example/show/sub/a"),
            ("xml:base='/'", "a", "https://feed.example/a"), ("xml:base='../'", "a", "https://feed.example/a"),
            ("xml:base='https://b.example'", "a", "https://b.example/a"),
            ("xml:base='https://b.example/x/'", "/a", "https://b.example/a"),
            ("xml:base='https://b.example/x/'", "https://c.example/a", "https://c.example/a"),
            ("xml:base=''", "a", "https://feed.example/show/a"),
            ("xml:base='javascript:x'", "a", "https://feed.example/show/a"),
            ("xml:base='https://b.example/x/'", "?q", "https://b.example/x/?q"),
            ("xml:base='//b.example/'", "a", "https://b.example/a"),
            ("base='https://b.example/'", "a", "https://feed.example/show/a"),
        ])
    func base(_ attribute: String, _ reference: String, _ expected: String) throws {
        #expect(try feed("<rss \(attribute)><channel><link>\(reference)</link></channel></rss>").link == expected)
        #expect(try feed("<rss><channel \(attribute)><link>\(reference)</link></channel></rss>").link == expected)
        #expect(try channel("<link \(attribute)>\(reference)</link>").link == expected)
        #expect(try channel("<item \(attribute)><link>\(reference)</link></item>").episodes.first?.link == expected)
        #expect(try atom("<entry \(attribute)><link href='\(reference)'/></entry>").episodes.first?.link == expected)
        #expect(try entry("<link \(attribute) href='\(reference)'/>").link == expected)
    }

    @Test("Bases are nested and end with their elements")
    func nestedBases() throws {
        let feed = try feed(
            """
            <rss xml:base='https://a.example/'><channel xml:base='b/'><link>x</link>
            <item xml:base='c/'><link>x</link></item><item><link>x</link></item></channel></rss>
            """)
        #expect(feed.link == "https://a.example/b/x")
        #expect(feed.episodes.map(\.link) == ["https://a.example/b/c/x", "https://a.example/b/x"])
    }

    @Test("Without a base a relative reference is resolved only against the feed's own address")
    func noBase() throws {
        let item = "<item><link>a</link><enclosure url='a.mp3'/></item>"
        #expect(try channel(item, base: nil).episodes.first?.link == nil)
        #expect(try channel(item, base: nil).episodes.first?.enclosures == [])
        let own = "<atom:link rel='self' href='https://own.example/f/feed'/>"
        #expect(
            try channel(own + item, base: nil).episodes.first?.enclosures.map(\.url) == ["https://own.example/f/a.mp3"])
    }
}
