// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: Atom")
struct AtomSpecification {
    @Test(
        "Links are used according to their relation",
        arguments: [
            ("<link href='https://x.example/1'/>", "https://x.example/1"),
            ("<link href='1'/>", "https://feed.example/show/1"),
            ("<link rel='alternate' href='/1'/>", "https://feed.example/1"),
            ("<link rel='alternate' type='text/html' href='/1'/>", "https://feed.example/1"),
            ("<link rel='self' href='/1'/>", nil), ("<link rel='related' href='/1'/>", nil),
            ("<link rel='via' href='/1'/>", nil),
            ("<link rel='replies' href='/1'/><link href='/2'/>", "https://feed.example/2"),
            ("<link rel='self' href='/1'/><link rel='alternate' href='/2'/>", "https://feed.example/2"),
            (
                """
                <link rel='alternate' type='application/json' href='/j'/><link rel='alternate' type='text/html' \
                href='/h'/>
                """,
                "https://feed.example/h"
            ),
            ("<link type='application/atom+xml' href='/a'/>", "https://feed.example/a"),
            ("<link rel='edit' href='/1'/>", nil), ("<link rel='service.post' href='/1'/>", nil),
            ("<link rel='' href='/1'/>", "https://feed.example/1"),
            ("<link rel=' Alternate ' href=' /1 '/>", "https://feed.example/1"),
            ("<link rel='nofollow alternate' href='/1'/>", "https://feed.example/1"), ("<link/>", nil),
            ("<link href=''/>", nil),
            ("<link href='javascript:x'/>", nil), ("<link>https://x.example/text</link>", "https://x.example/text"),
            ("<link href='/a'/><link href='/b'/>", "https://feed.example/a"),
            ("<link rel='enclosure' href='/1.mp3'/>", nil),
            ("<link href='https://x.example/?a=1&amp;b=2'/>", "https://x.example/?a=1&b=2"),
            ("<link rel='http://www.iana.org/assignments/relation/alternate' href='/1'/>", "https://feed.example/1"),
        ] as [(String, String?)])
    func links(_ content: String, _ expected: String?) throws {
        #expect(try entry(content).link == expected)
        #expect(try atom(content).link == expected)
    }

    @Test("An id is opaque and is not used as a link")
    func id() throws {
        #expect(try entry("<id>https://x.example/1</id>").id.rawValue == "https://x.example/1")
        #expect(try entry("<id>https://x.example/1</id>").link == nil)
        #expect(try entry("<id> tag:x.example,2024:1 </id>").id.rawValue == "tag:x.example,2024:1")
        #expect(try entry("<id>../1</id>").id.rawValue == "../1")
        #expect(try entry("<link href='/1'/>").id.rawValue == "https://feed.example/1")
    }

    @Test(
        "The date of an entry is read in Atom 1.0 and 0.3",
        arguments: [
            (
                "<published>2024-02-01T00:00:00Z</published><updated>2024-02-02T00:00:00Z</updated>",
                "2024-02-01T00:00:00Z"
            ),
            (
                "<updated>2024-02-02T00:00:00Z</updated><published>2024-02-01T00:00:00Z</published>",
                "2024-02-01T00:00:00Z"
            ),
            ("<updated>2024-02-02T00:00:00Z</updated>", "2024-02-02T00:00:00Z"),
            ("<issued>2024-02-02</issued><published>2024-02-01T00:00:00Z</published>", "2024-02-01T00:00:00Z"),
            ("<issued>2024-02-01T00:00:00Z</issued><modified>2024-02-02T00:00:00Z</modified>", "2024-02-01T00:00:00Z"),
            (
                "<modified>2024-02-02T00:00:00Z</modified><created>2024-02-03T00:00:00Z</created>",
                "2024-02-03T00:00:00Z"
            ), ("<modified>2024-02-02T00:00:00Z</modified>", "2024-02-02T00:00:00Z"),
            ("<published>2024-02-01T18:30:02.25+01:00</published>", "2024-02-01T17:30:02Z"),
            ("<published> 2024-02-01T18:30:02Z\n</published>", "2024-02-01T18:30:02Z"),
            ("<published>2024-02-01</published>", "2024-02-01T00:00:00Z"),
            ("<published>Thu, 01 Feb 2024 00:00:00 GMT</published>", "2024-02-01T00:00:00Z"),
            ("<published>never</published><updated>2024-02-02T00:00:00Z</updated>", "2024-02-02T00:00:00Z"),
            ("<published/>", nil),
            ("<pubDate>Thu, 01 Feb 2024 00:00:00 GMT</pubDate>", "2024-02-01T00:00:00Z"),
            ("<dc:date>2024-02-01</dc:date>", "2024-02-01T00:00:00Z"),
            ("<source><updated>2024-02-02T00:00:00Z</updated></source>", nil),
            ("<published>2024-02-01T00:00:00-05:00</published>", "2024-02-01T05:00:00Z"),
            ("<published>2024-02-01t00:00:00z</published>", "2024-02-01T00:00:00Z"),
        ] as [(String, String?)])
    func published(_ content: String, _ expected: String?) throws {
        #expect(try entry(content).published?.description == expected)
    }

    @Test(
        "Links with the relation enclosure are enclosures",
        arguments: [
            ("<link rel='enclosure' href='/1.mp3' type='audio/mpeg' length='7'/>", ["/1.mp3 audio/mpeg 7"]),
            ("<link rel='enclosure' href='/1.mp3'/>", ["/1.mp3"]),
            ("<link rel='enclosure' length='0' href='/1.mp3'/>", ["/1.mp3"]),
            ("<link rel='enclosure' href='/1.mp3'/><link rel='enclosure' href='/2.mp3'/>", ["/1.mp3", "/2.mp3"]),
            ("<link rel='enclosure' href='/1.mp3'/><link rel='enclosure' href='/1.mp3'/>", ["/1.mp3"]),
            ("<link rel='ENCLOSURE' href='/1.mp3'/>", ["/1.mp3"]), ("<link rel='enclosure' href='file:///x'/>", []),
            ("<link rel='enclosure'/>", []), ("<link rel='alternate' href='/1.mp3' type='audio/mpeg'/>", []),
            ("<enclosure url='/1.mp3'/>", ["/1.mp3"]),
            ("<content src='/1.mp3' type='audio/mpeg'/>", ["/1.mp3 audio/mpeg"]),
            ("<content src='/1.html' type='text/html'/>", []),
            (
                "<media:content url='/2.mp3' type='audio/mpeg'/><link rel='enclosure' href='/1.mp3'/>",
                ["/1.mp3", "/2.mp3 audio/mpeg"]
            ), ("<source><link rel='enclosure' href='/x.mp3'/></source>", []),
        ])
    func enclosures(_ content: String, _ expected: [String]) throws {
        let shown = try entry(content).enclosures.map { enclosure in
            ([String(enclosure.url.dropFirst(20)), enclosure.type, enclosure.length.map { "\($0)" }] as [String?])
                .compactMap(\.self).joined(separator: " ")
        }
        #expect(shown == expected)
    }

    @Test(
        "An author is named by name, else by mail address, else by URI",
        arguments: [
            ("<author><name>Ada</name><email>a@x.example</email><uri>https://x.example/</uri></author>", "Ada"),
            ("<author><email>a@x.example</email><name>Ada</name></author>", "Ada"),
            ("<author><email>a@x.example</email></author>", "a@x.example"),
            ("<author><uri>/ada</uri></author>", "https://feed.example/ada"),
            ("<author><url>/ada</url></author>", "https://feed.example/ada"),
            ("<author><name> Ada \n Holm </name></author>", "Ada Holm"), ("<author><name/></author>", nil),
            ("<author/>", nil),
            ("<author><name>A</name></author><author><name>B</name></author>", "A"),
            ("<author><name/></author><author><name>B</name></author>", "B"),
            ("<contributor><name>C</name></contributor>", nil), ("<name>N</name>", nil),
            ("<itunes:author>I</itunes:author><author><name>A</name></author>", "I"),
            ("<dc:creator>D</dc:creator><author><name>A</name></author>", "A"),
            ("<source><author><name>S</name></author></source>", nil),
        ] as [(String, String?)])
    func author(_ content: String, _ expected: String?) throws {
        #expect(try entry(content).author == expected)
        #expect(try atom(content).author == expected)
    }

    @Test("Fields of an entry's source do not apply to the entry")
    func source() throws {
        let source =
            """
            <source><title>x</title><id>x</id><link href='/x'/><author><name>x</name></author>\
            <updated>2001-01-01</updated><subtitle>x</subtitle><logo>/x</logo></source>
            """
        let own =
            """
            <title>t</title><id>i</id><link href='/l'/><author><name>a</name></author>\
            <published>2024-02-01T00:00:00Z</published>
            """
        for content in [source + own, own + source] {
            let parsed = try entry(content)
            #expect(
                [parsed.title, parsed.id.rawValue, parsed.link, parsed.author] == [
                    "t", "i", "https://feed.example/l", "a",
                ])
            #expect(parsed.published?.description == "2024-02-01T00:00:00Z")
            #expect(parsed.description == nil)
            #expect(parsed.image == nil)
        }
    }

    @Test(
        "The fields of a feed are read",
        arguments: [
            ("<subtitle>s</subtitle>", \.description, "s"), ("<tagline>t</tagline>", \.description, "t"),
            ("<subtitle type='html'>&lt;b&gt;s&lt;/b&gt; t</subtitle>", \.description, "s t"),
            ("<itunes:summary>i</itunes:summary><subtitle>s</subtitle>", \.description, "i"),
            ("<subtitle type='xhtml'><div>s &lt; t</div></subtitle>", \.description, "s < t"),
            ("<logo>/l.png</logo>", \.image, "https://feed.example/l.png"),
            ("<icon>/i.ico</icon>", \.image, "https://feed.example/i.ico"),
            ("<icon>/i.ico</icon><logo>/l.png</logo>", \.image, "https://feed.example/l.png"),
            ("<logo>/l.png</logo><itunes:image href='/i.png'/>", \.image, "https://feed.example/i.png"),
            ("<logo> /l.png\n</logo>", \.image, "https://feed.example/l.png"),
            ("<link rel='next' href='/p2'/>", \.nextPageURL, "https://feed.example/p2"),
            ("<link rel='prev-archive' href='/p2'/>", \.nextPageURL, "https://feed.example/p2"),
            ("<link rel='self' href='/s'/>", \.selfURL, "https://feed.example/s"),
            ("<generator uri='https://x.example' version='1'>Wheel</generator>", \.generator, "Wheel"),
            ("<itunes:new-feed-url>/n</itunes:new-feed-url>", \.newFeedURL, "https://feed.example/n"),
            ("<language>en</language>", \.language, "en"),
            ("<dc:language>en</dc:language>", \.language, "en"), ("<podcast:guid>g</podcast:guid>", \.podcastGUID, "g"),
            ("<id>urn:x</id>", \.podcastGUID, nil),
            ("<entry><link rel='next' href='/no'/></entry>", \.nextPageURL, nil),
            ("<rights>r</rights>", \.description, nil),
            ("<media:thumbnail url='/m.png'/>", \.image, "https://feed.example/m.png"),
        ] as [(String, FeedField, String?)])
    func feedFacts(_ content: String, _ field: FeedField, _ expected: String?) throws {
        #expect(try atom(content)[keyPath: field] == expected)
        #expect(try atom(content + "<entry><title>x</title></entry>")[keyPath: field] == expected)
    }

    @Test("Podcast extensions are read in an entry")
    func extensions() throws {
        let parsed = try entry(
            """
            <itunes:duration>60</itunes:duration><itunes:episode>2</itunes:episode><itunes:season>1</itunes:season>\
            <itunes:explicit>yes</itunes:explicit>
            <itunes:episodeType>bonus</itunes:episodeType><itunes:image href='/i.png'/><podcast:transcript \
            url='/t.vtt' type='text/vtt'/>
            <psc:chapters><psc:chapter start='1' title='c'/></psc:chapters><podcast:person>Ada</podcast:person>\
            <podcast:chapters url='/c.json'/>
            """)
        #expect(parsed.duration == .seconds(60))
        #expect([parsed.number, parsed.season] == [2, 1])
        #expect(parsed.isExplicit == true)
        #expect(parsed.kind == .bonus)
        #expect(parsed.image == "https://feed.example/i.png")
        #expect(parsed.transcripts.map(\.url) == ["https://feed.example/t.vtt"])
        #expect(parsed.chapters.map(\.title) == ["c"])
        #expect(parsed.persons.map(\.name) == ["Ada"])
        #expect(parsed.chaptersURL == "https://feed.example/c.json")
    }

    @Test(
        "Atom is read under any of its namespaces, or none",
        arguments: [
            "xmlns='http://www.w3.org/2005/Atom'", "xmlns='https://www.w3.org/2005/Atom'",
            "xmlns='http://www.w3.org/2005/atom/'", "xmlns='http://purl.org/atom/ns#'",
            "version='0.3' xmlns='http://purl.org/atom/ns#'", "", "version='0.3'",
            "xmlns='http://purl.org/atom/ns#draft-ietf-atompub-format-09'", "xmlns='urn:other'",
        ])
    func namespace(_ attribute: String) throws {
        let feed = try feed(
            """
            <feed \(attribute)><title>t</title><link href='/l'/><author><name>a</name></author><entry><title>e</title>\
            <id>i</id><link rel='enclosure' href='/1'/></entry></feed>
            """
        )
        #expect([feed.title, feed.link, feed.author] == ["t", "https://feed.example/l", "a"])
        #expect(feed.episodes.map(\.title) == ["e"])
        #expect(feed.episodes.map(\.id.rawValue) == ["i"])
        #expect(feed.episodes.first?.enclosures.map(\.url) == ["https://feed.example/1"])
    }

    @Test("Atom with item elements is read")
    func items() throws {
        let feed = try atom("<title>t</title><item><title>e</title><guid>g</guid></item>")
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.title) == ["e"])
        #expect(feed.episodes.map(\.id.rawValue) == ["g"])
    }

    @Test("Atom with a prefix is read")
    func prefixed() throws {
        let feed = try feed(
            """
            <a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>t</a:title><a:entry><a:title>e</a:title>\
            <a:id>i</a:id></a:entry></a:feed>
            """
        )
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.title) == ["e"])
        #expect(feed.episodes.map(\.id.rawValue) == ["i"])
    }
}
