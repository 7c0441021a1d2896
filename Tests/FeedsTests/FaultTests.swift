// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

/// Mistakes of real feeds, and the result that a user should still see.
@Suite("Faults of real feeds")
struct FaultTests {
    private static let url = "https://x.example/1.mp3"

    /// Parses a feed whose first item has this content, and requires that its second item is intact.
    private func feed(_ item: String, head: String = "<?xml version='1.0'?>") throws -> ParsedFeed {
        let after = "<item><guid>after</guid><title>after</title><enclosure url='\(Self.url)'/></item>"
        let document =
            "\(head)<rss \(namespaces)><channel><title>show</title><item>\(item)</item>\(after)</channel></rss>"
        let feed = try #require(outcome(of: Array(document.utf8)).feed)
        #expect(feed.title == "show")
        #expect(feed.episodes.last?.title == "after" && feed.episodes.last?.enclosures.map(\.url) == [Self.url])
        return feed
    }

    @Test(
        "A malformed title is read as intended",
        arguments: [
            ("Caf&eacute;&nbsp;bar", "Café bar"), ("R&B", "R&B"), ("AT&T & co", "AT&T & co"),
            ("1 &amp;amp; 2", "1 & 2"),
            ("a\u{1}b", "ab"), ("a&#8;b", "ab"), ("5 < 6", "5 < 6"), ("<3 you", "<3 you"), ("a <- b", "a <- b"),
            ("&#8220;Hi&#8221;", "“Hi”"), ("&#147;Hi&#148;", "“Hi”"), ("a\r\nb", "a b"), ("<![CDATA[R&B]]>", "R&B"),
            ("<![CDATA[1 &amp; 2]]>", "1 & 2"), ("a<br>b", "a b"), ("a <b>bold</b> one", "a bold one"),
            ("a ]]> b", "a ]]> b"), ("&lt;b&gt;a&lt;/b&gt;", "a"), ("a&copy=b", "a&copy=b"), ("a</b>b", "ab"),
            ("<![CDATA[a]]><![CDATA[b]]>", "ab"), ("a<!-- c -->b", "ab"), ("&hellip;&mdash;&euro;", "…—€"),
        ])
    func titles(_ title: String, _ expected: String) throws {
        #expect(try feed("<title>\(title)</title>").episodes.first?.title == expected)
    }

    @Test(
        "Entities declared in the document are resolved, in pieces of any length",
        arguments: [
            ("<!ENTITY show 'My Show'>", "a &show; b", "a My Show b"), ("<!ENTITY a-b.c 'x'>", "&a-b.c;", "x"),
            ("<!ENTITY a \"R&amp;D\"><!ENTITY b '&a;, &#169;'>", "&b;", "R&D, ©"),
            ("<!ENTITY a 'first'><!ENTITY a 'second'>", "&a;", "first"), ("<!ENTITY a ''>", "x&a;y", "xy"),
            ("<!-- it's <!ENTITY a 'b'> --><!ENTITY a 'c'>", "&a;", "c"), ("<!ENTITY a '>]>'>", "&a;", ">]>"),
            ("<!ENTITY nbsp '&#160;'>", "a&nbsp;b", "a b"), ("<!ELEMENT rss ANY><!ENTITY\n a\t'b' >", "&a;", "b"),
            ("<!ENTITY a '<b>c</b>'>", "&a; d", "c d"), ("<!entity a 'b'>", "&a; &A;", "b &A;"),
            ("<!ENTITY a 'b' ", "&a;", "b"), ("<!ENTITY % p 'x'> %p; <!ENTITY a 'b'>", "&a;", "b"),
        ])
    func entities(_ declarations: String, _ title: String, _ expected: String) throws {
        let head = "<!DOCTYPE rss [\(declarations)]>"
        #expect(try feed("<title>\(title)</title>", head: head).episodes.first?.title == expected)
        let document = Array("\(head)<rss><channel><title>\(title)</title></channel></rss>".utf8)
        for length in [1, 2, 7] { #expect(outcome(of: document, pieces: [length]).feed?.title == expected) }
    }

    @Test("Declared entities are resolved in attributes too")
    func entitiesInAttributes() throws {
        let head = "<!DOCTYPE rss [<!ENTITY at 'https://x.example'><!ENTITY q '?a=1&b=\"'>]>"
        let feed = try feed("<enclosure url='&at;/1.mp3'/><link>&at;/&q;</link>", head: head)
        #expect(feed.episodes.first?.enclosures.map(\.url) == [Self.url])
        #expect(feed.episodes.first?.link == "https://x.example/?a=1&b=%22")
    }

    @Test(
        "An enclosure is read in any notation",
        arguments: [
            "<enclosure url=\"https://x.example/1.mp3\" length=\"\" type=\"audio/mpeg\"/>",
            "<enclosure url='https://x.example/1.mp3'length='5'type='audio/mpeg'/>",
            "<enclosure url=https://x.example/1.mp3 length=5 type=audio/mpeg></enclosure>",
            "<enclosure length='99999999999999999999999' url=' https://x.example/1.mp3 '>",
            "<ENCLOSURE URL='https://x.example/1.mp3'/>", "<enclosure type url='https://x.example/1.mp3' />",
            "<enclosure\n\turl='https://x.example/1.mp3\n'/>", "<enclosure url='//x.example/1.mp3'/>",
            "<enclosure url='https://x.example/1.mp3' title='a > b' />",
            "<enclosure url='https://x.example/1.mp3' <br>",
            "<title>a & <enclosure url='https://x.example/1.mp3'/></title><enclosure url='https://x.example/1.mp3'/>",
        ])
    func enclosures(_ enclosure: String) throws {
        #expect(try feed(enclosure).episodes.first?.enclosures.map(\.url) == [Self.url])
    }

    @Test("A query keeps its ampersands", arguments: ["?a=1&b=2", "?a=1&amp;b=2", "?a=1&#38;b=2", "?a=1&amp;amp;b=2"])
    func queries(_ query: String) throws {
        let enclosure = "<enclosure url=\"\(Self.url)\(query)\"/>"
        #expect(try feed(enclosure).episodes.first?.enclosures.map(\.url) == ["\(Self.url)?a=1&b=2"])
    }

    @Test(
        "Junk before the root element is skipped",
        arguments: [
            "\n \n<?xml version='1.0'?>", "junk", "<br />\n<b>Warning</b>: x on line <b>2</b><br />", "\u{FEFF}",
            "<?xml version='1.0'?><?xml version='1.0'?>", "<!DOCTYPE rss>",
            "<!DOCTYPE html>", "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'xhtml1-strict.dtd'>",
            "<!-- made by x --><?xml-stylesheet href='y'?>",
            "\u{0}\u{8}", "<?xml version='1.1' encoding='UTF-8' standalone='yes'?>", "<?php echo 1 ?>",
        ])
    func preambles(_ head: String) throws {
        #expect(try feed("<title>t</title>", head: head).episodes.map(\.title) == ["t", "after"])
    }

    @Test(
        "Fields are read under any prefix",
        arguments: [
            "<rss><channel><item><itunes:duration>62</itunes:duration></item></channel></rss>",
            "<rss xmlns:itunes='HTTP://www.itunes.com/DTDs/Podcast-1.0.dtd/'><channel><item><itunes:duration>62"
                + "</itunes:duration></item></channel></rss>",
            "<rss xmlns:x='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><item><x:Duration>62</x:Duration>",
            "<r:rss xmlns:r='urn:x'><r:channel><r:item><itunes:duration>62</itunes:duration></r:item></r:channel>",
            "<rss><channel><item><duration xmlns='http://www.itunes.com/dtds/podcast-1.0.dtd'>62</duration></item>",
            "<rss xmlns='urn:unknown'><channel><item><itunes:duration>62</itunes:duration></item></channel></rss>",
            "<rss><channel xmlns:i='http://www.itunes.com/dtds/podcast-1.0.dtd'><x xmlns:i='urn:x'/><item>"
                + "<i:duration>62</i:duration></item></channel></rss>",
        ])
    func prefixes(_ document: String) {
        #expect(outcome(of: Array(document.utf8)).feed?.episodes.first?.duration == .seconds(62))
    }

    @Test("A prefix redeclared in an inner element has its outer meaning afterwards")
    func scopes() throws {
        let item = "<x xmlns:itunes='urn:x'><itunes:title>no</itunes:title></x><itunes:title>yes</itunes:title>"
        #expect(try feed(item).episodes.first?.title == "yes")
    }

    @Test("An unclosed item, a second document and junk after the root lose no episodes")
    func ends() {
        let items = "<item><title>a</title><item><title>b</title></channel></rss>"
        for tail in ["", "<rss><channel><item/></channel></rss>", "junk & <b>", "\u{0}"] {
            let feed = outcome(of: Array("<rss><channel><title>t</title>\(items)\(tail)".utf8)).feed
            #expect(feed?.episodes.map(\.title) == ["a", "b"] && feed?.isTruncated == false)
        }
    }
}
