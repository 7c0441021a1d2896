// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

typealias FeedField = any KeyPath<ParsedFeed, String?> & Sendable

@Suite("Specification: facts")
struct FactSpecification {
    @Test(
        "The explicit flag is read in any spelling",
        arguments: [
            ("yes", true), ("Yes", true), ("YES", true), (" yes ", true), ("true", true), ("True", true),
            ("explicit", true), ("Explicit", true), ("no", false), ("No", false),
            ("false", false), ("FALSE", false), ("clean", false), ("Clean\n", false), ("", nil), ("maybe", nil),
            ("n/a", nil), ("<![CDATA[yes]]>", true), ("yesno", nil),
        ] as [(String, Bool?)])
    func explicit(_ text: String, _ expected: Bool?) throws {
        for name in ["itunes:explicit", "googleplay:explicit", "itunes:Explicit"] {
            #expect(try episode("<\(name)>\(text)</\(name)>").isExplicit == expected)
            #expect(try channel("<\(name)>\(text)</\(name)>").isExplicit == expected)
        }
    }

    @Test("itunes:explicit overrides Google's, and an item's flag does not apply to the channel")
    func explicitPrecedence() throws {
        for content in orders([
            "<itunes:explicit>no</itunes:explicit>", "<googleplay:explicit>yes</googleplay:explicit>",
        ]) {
            #expect(try channel(content).isExplicit == false)
        }
        let feed = try channel("<item><itunes:explicit>yes</itunes:explicit></item><item/>")
        #expect(feed.isExplicit == nil)
        #expect(feed.episodes.map(\.isExplicit) == [true, nil])
    }

    @Test(
        "Season and episode numbers are positive",
        arguments: [
            ("1", 1), (" 12 ", 12), ("007", 7), ("\n3\n", 3), ("2024", 2024), ("0", nil), ("-1", nil), ("", nil),
            ("one", nil), ("1.5", nil), ("1a", nil), ("S1", nil),
            ("99999999999999999999", nil), ("<![CDATA[4]]>", 4), ("+1", nil), ("1,000", nil),
        ] as [(String, Int?)])
    func numbers(_ text: String, _ expected: Int?) throws {
        #expect(try episode("<itunes:season>\(text)</itunes:season>").season == expected)
        #expect(try episode("<podcast:season name='x'>\(text)</podcast:season>").season == expected)
        #expect(try episode("<itunes:episode>\(text)</itunes:episode>").number == expected)
        #expect(try episode("<podcast:episode display='x'>\(text)</podcast:episode>").number == expected)
    }

    @Test("Apple's numbers override those of Podcasting 2.0")
    func numberPrecedence() throws {
        for item in orders([
            "<podcast:season>2</podcast:season>", "<itunes:season>1</itunes:season>",
            "<itunes:episode>x</itunes:episode>", "<podcast:episode>4</podcast:episode>",
        ]) {
            let parsed = try episode(item)
            #expect(parsed.season == 1)
            #expect(parsed.number == 4)
        }
    }

    @Test(
        "Episode types and show types are read",
        arguments: [
            ("full", .full, nil), ("Full", .full, nil), (" TRAILER ", .trailer, nil), ("bonus", .bonus, nil),
            ("Bonus\n", .bonus, nil), ("", nil, nil), ("teaser", nil, nil),
            ("serial", nil, .serial), ("Serial", nil, .serial), (" EPISODIC ", nil, .episodic), ("random", nil, nil),
            ("<![CDATA[serial]]>", nil, .serial),
        ] as [(String, ParsedEpisode.Kind?, ParsedFeed.Order?)])
    func kinds(_ text: String, _ kind: ParsedEpisode.Kind?, _ order: ParsedFeed.Order?) throws {
        #expect(try episode("<itunes:episodeType>\(text)</itunes:episodeType>").kind == kind)
        #expect(try episode("<itunes:episodetype>\(text)</itunes:episodetype>").kind == kind)
        #expect(try channel("<itunes:type>\(text)</itunes:type>").order == order)
        guard !text.contains("<") else { return }
        #expect(try channel("<itunes:type text='\(text)'/>").order == order)
    }

    private static let published = "<pubDate>Thu, 01 Feb 2024 00:00:00 GMT</pubDate>"
    private static let atom = "<atom:published>2024-02-02T00:00:00Z</atom:published>"
    private static let issued = "<dcterms:issued>2024-02-03</dcterms:issued>"
    private static let date = "<dc:date>2024-02-04T00:00:00Z</dc:date>"
    private static let updated = "<atom:updated>2024-02-05T00:00:00Z</atom:updated>"
    private static let modified = "<dcterms:modified>2024-02-06</dcterms:modified>"

    @Test(
        "pubDate comes first, then published, issued and dc:date, then updated; invalid dates are ignored",
        arguments: [
            ([published, atom, issued, date, updated, modified], "01"),
            ([atom, issued, date, updated, modified], "02"), ([issued, date, updated], "03"),
            ([date, updated, modified], "04"),
            ([updated, modified], "05"), ([modified], "06"), (["<pubDate>soon</pubDate>", date], "04"),
            (["<pubDate/>", updated], "05"), (["<pubdate>1 Feb 2024</pubdate>"], "01"),
            (["<PUBDATE>1 Feb 2024</PUBDATE>"], "01"),
            (["<pubDate><![CDATA[ Thu, 01 Feb 2024 00:00:00 +0000 ]]></pubDate>"], "01"),
            (["<published>2024-02-02T00:00:00Z</published>"], "02"),
            (["<pubDate>0000-00-00</pubDate>"], nil),
            (["<lastBuildDate>Thu, 01 Feb 2024 00:00:00 GMT</lastBuildDate>"], nil),
            (["<source><updated>2024-02-05</updated></source>"], nil),
            (["<dc:created>2024-02-03</dc:created>", updated], "03"),
            (["<updated>2024-02-05T00:00:00Z</updated>"], "05"),
            (["<atom:published>never</atom:published>", updated], "05"),
        ] as [([String], String?)])
    func dates(_ elements: [String], _ day: String?) throws {
        for item in orders(elements) {
            #expect(try episode(item).published?.description == day.map { "2024-02-\($0)T00:00:00Z" })
        }
    }

    @Test(
        "The duration of an episode is read",
        arguments: [
            (["<itunes:duration>1:02:03</itunes:duration>"], 3_723),
            (["<itunes:duration>62:03</itunes:duration>"], 3_723), (["<itunes:duration>3723</itunes:duration>"], 3_723),
            (["<itunes:duration> 00:10:00 </itunes:duration>"], 600),
            (["<itunes:duration><![CDATA[10:00]]></itunes:duration>"], 600),
            (["<itunes:duration>0</itunes:duration>"], nil),
            (["<itunes:duration/>"], nil), (["<itunes:duration>long</itunes:duration>"], nil),
            (["<itunes:DURATION>60</itunes:DURATION>"], 60),
            (["<itunes:duration/>", "<media:content url='/1' medium='audio' duration='60'/>"], 60),
            (["<itunes:duration>0</itunes:duration>", "<media:content url='/1' medium='audio' duration='60'/>"], 60),
            (["<itunes:duration>61</itunes:duration>", "<media:content url='/1' medium='audio' duration='60'/>"], 61),
            (["<media:group><media:content url='/1' type='video/mp4' duration='60'/></media:group>"], 60),
        ] as [([String], Int?)])
    func durations(_ elements: [String], _ seconds: Int?) throws {
        for item in orders(elements) { #expect(try episode(item).duration == seconds.map { .seconds($0) }) }
    }

    @Test(
        "The fields of a channel are read",
        arguments: [
            ("<language>en-us</language>", \.language, "en-us"), ("<language> de </language>", \.language, "de"),
            ("<dc:language>fr</dc:language>", \.language, "fr"),
            ("<dc:language>fr</dc:language><language>en</language>", \.language, "en"),
            ("<language>pt_BR</language>", \.language, "pt-BR"),
            ("<dc:language>pt_BR</dc:language>", \.language, "pt-BR"),
            ("<language/>", \.language, nil), ("<language/><dc:language>fr</dc:language>", \.language, "fr"),
            ("<itunes:new-feed-url>https://n.example/f</itunes:new-feed-url>", \.newFeedURL, "https://n.example/f"),
            ("<itunes:new-feed-url> /f </itunes:new-feed-url>", \.newFeedURL, "https://feed.example/f"),
            ("<itunes:new-feed-url/>", \.newFeedURL, nil),
            ("<itunes:new-feed-url>nowhere:x</itunes:new-feed-url>", \.newFeedURL, nil),
            (
                "<itunes:new-feed-url><![CDATA[https://n.example/?a=1&b=2]]></itunes:new-feed-url>", \.newFeedURL,
                "https://n.example/?a=1&b=2"
            ),
            (
                "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>", \.podcastGUID,
                "917393e3-1b1e-5cef-ace4-edaa54e1f810"
            ), ("<podcast:guid> x </podcast:guid>", \.podcastGUID, "x"),
            ("<guid>no</guid>", \.podcastGUID, nil),
            ("<item><podcast:guid>no</podcast:guid></item>", \.podcastGUID, nil),
            ("<podcast:liveItem><podcast:guid>no</podcast:guid></podcast:liveItem>", \.podcastGUID, nil),
            ("<atom:link rel='next' href='/p?2'/>", \.nextPageURL, "https://feed.example/p?2"),
            ("<atom:link rel='NEXT' href='/p?2'/>", \.nextPageURL, "https://feed.example/p?2"),
            (
                "<atom:link rel='http://www.iana.org/assignments/relation/next' href='/p?2'/>", \.nextPageURL,
                "https://feed.example/p?2"
            ), ("<atom:link rel='prev-archive' href='/p?2'/>", \.nextPageURL, "https://feed.example/p?2"),
            (
                "<atom:link rel='prev-archive' href='/a'/><atom:link rel='next' href='/p?2'/>", \.nextPageURL,
                "https://feed.example/p?2"
            ),
            ("<atom:link rel='next-archive' href='/p?2'/>", \.nextPageURL, nil),
            ("<atom:link rel='previous' href='/p?2'/>", \.nextPageURL, nil),
            ("<atom:link rel='last' href='/p?2'/>", \.nextPageURL, nil),
            ("<atom:link rel='first' href='/p?2'/>", \.nextPageURL, nil),
            ("<item><atom:link rel='next' href='/p?2'/></item>", \.nextPageURL, nil),
            ("<link rel='next' href='/p?2'/>", \.nextPageURL, "https://feed.example/p?2"),
            ("<atom:link rel='self' href='/s'/>", \.selfURL, "https://feed.example/s"),
            ("<atom:link rel='self' href='/s'/>", \.link, nil), ("<atom:link rel='hub' href='/h'/>", \.link, nil),
            ("<link/><url>/u</url>", \.link, "https://feed.example/u"),
            ("<link>/l</link><url>/u</url>", \.link, "https://feed.example/l"),
            ("<generator>Wheel 1.0</generator>", \.generator, "Wheel 1.0"),
            ("<atom:generator uri='/x'>Wheel</atom:generator>", \.generator, "Wheel"),
        ] as [(String, FeedField, String?)])
    func channelFacts(_ content: String, _ field: FeedField, _ expected: String?) throws {
        for neighbour in ["", "<title>t</title><item><title>i</title></item>"] {
            #expect(try channel(content + neighbour)[keyPath: field] == expected)
            #expect(try channel(neighbour + content)[keyPath: field] == expected)
        }
    }

    @Test("An RSS document may contain only the feed's new address")
    func redirect() throws {
        let redirect = "<redirect><newLocation>\n https://n.example/f\n </newLocation></redirect>"
        #expect(try feed("<rss>\(redirect)</rss>").newFeedURL == "https://n.example/f")
    }

    @Test("xml:lang is the language if no element declares one")
    func language() throws {
        #expect(try feed("<rss xml:lang='sv'><channel><title>t</title></channel></rss>").language == "sv")
        #expect(try feed("<rss xml:lang='sv_FI'><channel><title>t</title></channel></rss>").language == "sv-FI")
        #expect(try feed("<rss><channel xml:lang='sv'><title>t</title></channel></rss>").language == "sv")
        #expect(try feed("<rss xml:lang='sv'><channel><language>fi</language></channel></rss>").language == "fi")
        #expect(try feed("<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='sv'/>").language == "sv")
    }

    @Test(
        "Funding links are read",
        arguments: [
            ("<podcast:funding url='https://x.example/give'>Give</podcast:funding>", ["https://x.example/give Give"]),
            ("<podcast:funding url='/give'/>", ["https://feed.example/give"]),
            (
                "<podcast:funding url='/a'>A</podcast:funding><podcast:funding url='/b'>B</podcast:funding>",
                ["https://feed.example/a A", "https://feed.example/b B"]
            ),
            ("<podcast:funding>Give</podcast:funding>", []),
            ("<podcast:funding url='javascript:x'>Give</podcast:funding>", []),
            ("<item><podcast:funding url='/a'>A</podcast:funding></item>", []),
            (
                "<podcast:funding url=' https://x.example/?a=1&amp;b=2 '> Give &amp; take </podcast:funding>",
                ["https://x.example/?a=1&b=2 Give & take"]
            ),
        ])
    func fundings(_ content: String, _ expected: [String]) throws {
        let shown = try channel(content).fundings.map { [$0.url, $0.title].compactMap(\.self).joined(separator: " ") }
        #expect(shown == expected)
    }

    @Test("Episodes are in document order, and none is omitted")
    func order() throws {
        let items = [
            "<item/>", "<item><title>2</title></item>", "<item><guid>2</guid></item>", "<item><guid>2</guid></item>",
            "<item><enclosure url='x:y'/></item>",
        ]
        let feed = try channel("<title>t</title>" + items.joined())
        #expect(feed.episodes.count == 5)
        #expect(feed.episodes.map(\.title) == [nil, "2", nil, nil, nil])
    }
}
