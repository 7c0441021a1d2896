// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: namespaces")
struct NamespaceSpecification {
    private func item(_ attributes: String, _ content: String) throws -> ParsedEpisode {
        try #require(
            feed("<rss version='2.0' \(attributes)><channel><item>\(content)</item></channel></rss>").episodes.first)
    }

    @Test(
        "The iTunes namespace is recognized in any spelling",
        arguments: [
            "http://www.itunes.com/dtds/podcast-1.0.dtd", "https://www.itunes.com/dtds/podcast-1.0.dtd",
            "http://www.itunes.com/DTDs/Podcast-1.0.dtd", "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
            "http://itunes.com/dtds/podcast-1.0.dtd",
            "http://www.itunes.com/dtds/podcast-1.0.dtd/", "HTTP://WWW.ITUNES.COM/DTDS/PODCAST-1.0.DTD",
            " http://www.itunes.com/dtds/podcast-1.0.dtd ", "http://www.itunes.com/dtds/podcast-1.0",
            "http://www.itunes.com/dtds/podcast-2.0.dtd",
            "http://itunes.apple.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/podcast-1.0.dtd",
        ])
    func itunes(_ uri: String) throws {
        for prefix in ["itunes", "i", "iTunes", "ns1", "media"] {
            let content = "<\(prefix):duration>60</\(prefix):duration>"
            #expect(try item("xmlns:\(prefix)='\(uri)'", content).duration == .seconds(60))
        }
        #expect(try item("", "<duration xmlns='\(uri)'>60</duration>").duration == .seconds(60))
    }

    @Test(
        "The Podcasting 2.0 namespace is recognized in its three spellings and more",
        arguments: [
            "https://podcastindex.org/namespace/1.0", "http://podcastindex.org/namespace/1.0",
            "https://podcastindex.org/namespace/1.0/", "https://www.podcastindex.org/namespace/1.0",
            "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
            "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
            "https://raw.githubusercontent.com/Podcastindex-org/podcast-namespace/main/docs/1.0.md",
            "https://PodcastIndex.org/Namespace/1.0",
        ])
    func podcast(_ uri: String) throws {
        for prefix in ["podcast", "p", "pc20"] {
            let content = "<\(prefix):season>3</\(prefix):season><\(prefix):transcript url='/t' type='text/vtt'/>"
            let parsed = try item("xmlns:\(prefix)='\(uri)'", content)
            #expect(parsed.season == 3)
            #expect(parsed.transcripts.count == 1)
        }
    }

    @Test(
        "The other vocabularies are recognized under any prefix",
        arguments: [
            ("http://search.yahoo.com/mrss/", "title", "media"), ("http://search.yahoo.com/mrss", "title", "media"),
            ("https://search.yahoo.com/mrss/", "title", "media"),
            ("http://video.search.yahoo.com/mrss/", "title", "media"),
            ("http://purl.org/dc/elements/1.1/", "title", "dc"), ("http://purl.org/dc/elements/1.1", "title", "dc"),
            ("https://purl.org/dc/elements/1.1/", "title", "dc"), ("http://purl.org/dc/terms/", "title", "dcterms"),
            ("http://www.w3.org/2005/Atom", "title", "atom"), ("https://www.w3.org/2005/Atom", "title", "a10"),
            ("http://www.w3.org/2005/Atom/", "title", "atom10"),
        ])
    func others(_ uri: String, _ name: String, _ usual: String) throws {
        for prefix in [usual, "q", usual.uppercased()] {
            let content = "<\(prefix):\(name)>x</\(prefix):\(name)>"
            #expect(try item("xmlns:\(prefix)='\(uri)'", content).title == "x")
        }
        // The prefix is not declared.
        #expect(try item("", "<\(usual):\(name)>x</\(usual):\(name)>").title == "x")
    }

    @Test(
        "content:encoded is recognized under any prefix",
        arguments: [
            "http://purl.org/rss/1.0/modules/content/", "http://purl.org/rss/1.0/modules/content",
            "https://purl.org/rss/1.0/modules/content/",
        ])
    func content(_ uri: String) throws {
        for prefix in ["content", "c", "body"] {
            #expect(try item("xmlns:\(prefix)='\(uri)'", "<\(prefix):encoded>x</\(prefix):encoded>").contentHTML == "x")
        }
        #expect(try item("", "<content:encoded>x</content:encoded>").contentHTML == "x")
    }

    @Test(
        "Simple chapters are recognized with and without a trailing slash",
        arguments: [
            "http://podlove.org/simple-chapters", "http://podlove.org/simple-chapters/",
            "https://podlove.org/simple-chapters",
        ])
    func chapters(_ uri: String) throws {
        for prefix in ["psc", "sc"] {
            let content = "<\(prefix):chapters><\(prefix):chapter start='5' title='c'/></\(prefix):chapters>"
            #expect(try item("xmlns:\(prefix)='\(uri)'", content).chapters.map(\.title) == ["c"])
        }
    }

    @Test(
        "An undeclared prefix has its usual meaning",
        arguments: [
            ("<itunes:duration>60</itunes:duration>", true), ("<ITUNES:DURATION>60</ITUNES:DURATION>", true),
            ("<iTunes:Duration>60</iTunes:Duration>", true), ("<foo:duration>60</foo:duration>", false),
            ("<duration>60</duration>", false),
            ("<googleplay:duration>60</googleplay:duration>", false),
            ("<podcast:duration>60</podcast:duration>", false),
        ])
    func undeclared(_ content: String, _ isKnown: Bool) throws {
        #expect(try (item("", content).duration == .seconds(60)) == isKnown)
    }

    @Test("A usual prefix bound to another namespace has that meaning")
    func rebound() throws {
        #expect(try item("xmlns:itunes='urn:other'", "<itunes:duration>60</itunes:duration>").duration == nil)
        #expect(
            try item("xmlns:media='http://www.itunes.com/dtds/podcast-1.0.dtd'", "<media:duration>60</media:duration>")
                .duration == .seconds(60))
    }

    @Test("A prefix may be declared on the element that uses it, and redeclared below")
    func scopes() throws {
        let content =
            """
            <x:duration xmlns:x='http://www.itunes.com/dtds/podcast-1.0.dtd'>60</x:duration><x:title \
            xmlns:x='http://purl.org/dc/elements/1.1/'>t</x:title>
            """
        let parsed = try item("", content)
        #expect(parsed.duration == .seconds(60))
        #expect(parsed.title == "t")
    }

    @Test(
        "RSS is recognized with any default namespace",
        arguments: [
            "http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss", "http://purl.org/rss/1.0/",
            "http://www.w3.org/2005/Atom", "http://search.yahoo.com/mrss/", "urn:other", "",
            "http://www.itunes.com/dtds/podcast-1.0.dtd",
            "http://www.w3.org/1999/xhtml", "http://my.netscape.com/rdf/simple/0.9/",
        ])
    func rssDefault(_ uri: String) throws {
        let document =
            """
            <rss xmlns='\(uri)' \(namespaces)><channel><title>t</title><link>/l</link><item><title>e</title>\
            <itunes:duration>60</itunes:duration><enclosure url='/1'/></item></channel></rss>
            """
        let feed = try feed(document)
        #expect([feed.title, feed.link] == ["t", "https://feed.example/l"])
        #expect(feed.episodes.map(\.title) == ["e"])
        #expect(feed.episodes.map(\.duration) == [.seconds(60)])
        #expect(feed.episodes.first?.enclosures.count == 1)
    }

    @Test(
        "RSS is recognized with a prefix",
        arguments: ["xmlns:r='http://backend.userland.com/rss2'", "xmlns:r='urn:other'", ""])
    func rssPrefix(_ attribute: String) throws {
        let feed = try feed(
            """
            <r:rss \(attribute)><r:channel><r:title>t</r:title><r:item><r:title>e</r:title></r:item></r:channel>\
            </r:rss>
            """
        )
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.title) == ["e"])
    }

    @Test("Elements with another default namespace belong to that namespace")
    func defaultBelow() throws {
        let parsed = try item(
            "",
            """
            <title>t</title><svg xmlns='http://www.w3.org/2000/svg'><title>no</title></svg><author \
            xmlns='http://www.itunes.com/dtds/podcast-1.0.dtd'>a</author>
            """
        )
        #expect(parsed.title == "t")
        #expect(parsed.author == "a")
    }
}
