// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Feeds

@Suite("Fields of an episode")
struct EpisodeFieldTests {
    @Test("The GUID is opaque: trimmed, case-sensitive, never resolved")
    func keepsGUID() throws {
        #expect(try episode("<guid> ../Episode?A </guid>").id.rawValue == "../Episode?A")
    }

    @Test("An episode without a GUID is identified by its enclosure, else its link, else its title and date")
    func standsInForGUID() throws {
        let link = "<link>https://x.example/1</link>"
        let enclosure = "<enclosure url='https://x.example/1.mp3'/>"
        #expect(try episode("<guid> </guid>\(link)\(enclosure)").id.rawValue == "https://x.example/1.mp3")
        #expect(try episode(link).id.rawValue == "https://x.example/1")
        #expect(try episode("<title>A</title><pubDate>2024-02-29</pubDate>").id.rawValue == "A 2024-02-29T00:00:00Z")
    }

    @Test("Substitute identifiers are unique within the feed, and repeated GUIDs are kept")
    func separatesEpisodes() throws {
        let same = "<item><link>https://x.example/</link></item>"
        let feed = try channel(same + same + "<item/><item><guid>g</guid></item><item><guid>g</guid></item>")
        #expect(Set(feed.episodes.map(\.id)).count == 4)
        #expect(feed.episodes.suffix(2).map(\.id.rawValue) == ["g", "g"])
    }

    @Test("A GUID that is a permalink and a URL substitutes for the link")
    func usesPermalink() throws {
        #expect(try episode("<guid>https://x.example/1</guid>").link == "https://x.example/1")
        #expect(try episode("<guid isPermaLink='false'>https://x.example/1</guid>").link == nil)
        #expect(try episode("<guid>abc</guid>").link == nil)
        #expect(try episode("<guid>https://x.example/1</guid><link>/2</link>").link == "https://feed.example/2")
        #expect(try episode("<link>javascript:alert(1)</link>").link == nil)
    }

    @Test("The richest text becomes the show notes, in any order, and an empty one is ignored")
    func choosesShowNotes() throws {
        let encoded = "<content:encoded>&lt;p&gt;rich&lt;/p&gt;</content:encoded>"
        let described = "<description>plain</description>"
        #expect(try episode(described + encoded).contentHTML == "<p>rich</p>")
        #expect(try episode(encoded + described).contentHTML == "<p>rich</p>")
        #expect(try episode("<content:encoded> </content:encoded>" + described).contentHTML == "plain")
        let summary = "<itunes:summary>&lt;b&gt;bold&lt;/b&gt;</itunes:summary>"
        #expect(try episode(described + summary).contentHTML == "<b>bold</b>")
        #expect(try episode(described + summary).description == "bold")
    }

    @Test("Unescaped markup is read as markup")
    func readsUnescapedMarkup() throws {
        let notes = try episode("<description><p>one <a href=\"/x?a=1&amp;b=2\">two</a></p></description>").contentHTML
        #expect(notes == "<p>one <a href=\"https://feed.example/x?a=1&amp;b=2\">two</a></p>")
    }

    @Test("Enclosures have each URL once, in order, only audio and video of Media RSS, and no length of 0")
    func collectsEnclosures() throws {
        let episode = try episode(
            """
            <media:content url="https://x.example/1.mp3" type="audio/mpeg"/>
            <media:content url="https://x.example/cover.jpg" medium="image"/>
            <media:content url="https://x.example/1.mp4" medium="video" fileSize="5"/>
            <enclosure url="https://x.example/1.mp3" type="audio/mpeg" length="-1"/>
            <enclosure url="file:///etc/passwd" type="audio/mpeg"/>
            <enclosure url="b c.mp3" length="99999999999999999999"/>
            """)
        #expect(
            episode.enclosures == [
                ParsedEnclosure(url: "https://x.example/1.mp3", type: "audio/mpeg", length: nil),
                ParsedEnclosure(url: "https://feed.example/show/b%20c.mp3", type: nil, length: nil),
                ParsedEnclosure(url: "https://x.example/1.mp4", type: nil, length: 5),
            ])
    }

    @Test("Fields of an image, a source or a live item do not apply to the episode or the channel")
    func keepsToItsPlace() throws {
        let item =
            "<item><source url='https://s.example'>s</source><image><title>i</title></image><title>own</title></item>"
        let live =
            "<podcast:liveItem><title>live</title><guid>l</guid><link>https://l.example</link></podcast:liveItem>"
        let feed = try channel(
            "\(live)<image><title>i</title><link>https://i.example</link></image>\(item)<title>own</title>")
        #expect(feed.title == "own")
        #expect(feed.link == nil)
        #expect(feed.episodes.map(\.title) == ["own"])
    }

    @Test("An undeclared prefix has its usual meaning")
    func knowsUndeclaredPrefixes() throws {
        let document = "<rss><channel><item><itunes:duration>62:03</itunes:duration></item></channel></rss>"
        #expect(outcome(of: Array(document.utf8)).feed?.episodes.first?.duration == .seconds(3_723))
    }

    @Test("Namespaces are matched leniently")
    func knowsNamespacesLoosely() {
        let document = """
            <rss xmlns:i="HTTPS://www.iTunes.com/dtds/podcast-1.0.dtd/"><channel><i:author>A</i:author></channel></rss>
            """
        #expect(outcome(of: Array(document.utf8)).feed?.author == "A")
    }

    @Test("xml:base applies to the content of its element")
    func obeysBase() throws {
        let item = "<link>a</link>"
        let feed = try channel("<item xml:base='https://b.example/x/'>\(item)</item><item>\(item)</item>")
        #expect(feed.episodes.map(\.link) == ["https://b.example/x/a", "https://feed.example/show/a"])
    }

    @Test("An image among the enclosures is not playable")
    func playable() throws {
        let parsed = try episode(
            """
            <guid>g</guid><enclosure url='https://x.example/1.jpg' type='image/jpeg'/>
            <enclosure url='https://x.example/1.mp3' length='7' type='audio/mpeg'/>
            """)
        let expected = ParsedEnclosure(url: "https://x.example/1.mp3", type: "audio/mpeg", length: 7)
        #expect(parsed.enclosures.filter(\.isPlayable) == [expected])
        #expect(parsed.id == EpisodeID(rawValue: "g"))
    }
}
