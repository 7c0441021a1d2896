// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: RSS 1.0, 0.9x and malformed RSS")
struct RDFSpecification {
    private static let channel =
        """
        <channel rdf:about='https://x.example/'><title>t</title><link>https://x.example/</link>\
        <description>d</description><items><rdf:Seq><rdf:li resource='https://x.example/1'/></rdf:Seq></items>\
        </channel>
        """

    private func item(_ content: String, about: String = "https://x.example/1") throws -> ParsedEpisode {
        try #require(rdf(Self.channel + "<item rdf:about='\(about)'>\(content)</item>").episodes.first)
    }

    @Test("Items are siblings of the channel, before or after it")
    func items() throws {
        let item =
            """
            <item rdf:about='https://x.example/1'><title>e</title><link>https://x.example/1.html</link>\
            <description>n</description></item>
            """
        for content in orders([Self.channel, item]) {
            let feed = try rdf(content)
            #expect([feed.title, feed.link, feed.description] == ["t", "https://x.example/", "d"])
            #expect(feed.episodes.map(\.title) == ["e"])
            #expect(feed.episodes.map(\.id.rawValue) == ["https://x.example/1"])
            #expect(feed.episodes.map(\.link) == ["https://x.example/1.html"])
            #expect(feed.episodes.map(\.description) == ["n"])
        }
    }

    @Test(
        "rdf:about is the GUID, unresolved",
        arguments: [
            ("https://x.example/1", "https://x.example/1"), (" x ", "x"), ("../1", "../1"), ("urn:1", "urn:1"),
            ("https://x.example/?a=1&amp;b=2", "https://x.example/?a=1&b=2"),
        ])
    func about(_ about: String, _ expected: String) throws {
        #expect(try item("<title>e</title>", about: about).id.rawValue == expected)
    }

    @Test("rdf:about substitutes for a link if it is a URL")
    func aboutAsLink() throws {
        #expect(try item("<title>e</title>").link == "https://x.example/1")
        #expect(try item("<link>/2</link>").link == "https://feed.example/2")
        #expect(try item("<title>e</title>", about: "urn:1").link == nil)
    }

    @Test("Without rdf:about the link substitutes for the GUID, and a guid element overrides both")
    func identity() throws {
        #expect(
            try rdf(Self.channel + "<item><link>https://x.example/1</link></item>").episodes.first?.id.rawValue
                == "https://x.example/1")
        #expect(try item("<guid>g</guid>").id.rawValue == "g")
        #expect(try item("", about: "").id.rawValue.isEmpty == false)
    }

    @Test(
        "Dates of Dublin Core are read",
        arguments: [
            ("<dc:date>2024-02-29T18:30:00+01:00</dc:date>", "2024-02-29T17:30:00Z"),
            ("<dc:date>2024-02-29</dc:date>", "2024-02-29T00:00:00Z"), ("<dc:date>soon</dc:date>", nil),
            ("<pubDate>Thu, 29 Feb 2024 00:00:00 GMT</pubDate>", "2024-02-29T00:00:00Z"),
            ("<dcterms:issued>2024-02-28</dcterms:issued><dc:date>2024-02-29</dc:date>", "2024-02-28T00:00:00Z"),
            ("<dcterms:modified>2024-02-28</dcterms:modified>", "2024-02-28T00:00:00Z"),
        ] as [(String, String?)])
    func dates(_ content: String, _ expected: String?) throws {
        #expect(try item(content).published?.description == expected)
    }

    @Test("Authors, notes and enclosures are read in items")
    func fields() throws {
        let parsed = try item(
            """
            <dc:creator>c@x.example (Cy)</dc:creator><content:encoded><![CDATA[<p>n</p>]]></content:encoded>\
            <description>d</description><enclosure url='/1.mp3' type='audio/mpeg' length='7'/>\
            <itunes:duration>60</itunes:duration>
            """
        )
        #expect(parsed.author == "Cy")
        #expect(parsed.contentHTML == "<p>n</p>")
        #expect(parsed.description == "d")
        #expect(
            parsed.enclosures == [ParsedEnclosure(url: "https://feed.example/1.mp3", type: "audio/mpeg", length: 7)])
        #expect(parsed.duration == .seconds(60))
    }

    @Test(
        "The enclosure module is read, as a reference or with a description of the file",
        arguments: [
            "<enc:enclosure xmlns:enc='http://purl.oclc.org/net/rss_2.0/enc#' rdf:resource='/1.mp3'/>",
            "<enc:enclosure rdf:resource='/1.mp3'></enc:enclosure>",
            """
            <enc:enclosure xmlns:enc='http://purl.oclc.org/net/rss_2.0/enc#'><enc:Enclosure rdf:about='/1.mp3'/>\
            </enc:enclosure>
            """,
        ])
    func enclosureModule(content: String) throws {
        #expect(try item(content).enclosures == [ParsedEnclosure(url: "https://feed.example/1.mp3")])
    }

    @Test("The type and the length of the enclosure module are attributes")
    func enclosureAttributes() throws {
        let namespace = "xmlns:enc='http://purl.oclc.org/net/rss_2.0/enc#'"
        let content = "<enc:enclosure \(namespace) rdf:resource='/1' enc:type='audio/mpeg' enc:length='7'/>"
        #expect(
            try item(content).enclosures
                == [ParsedEnclosure(url: "https://feed.example/1", type: "audio/mpeg", length: 7)])
    }

    @Test(
        "The properties of an enclosure are attributes or child elements",
        arguments: [
            """
            <enc:Enclosure rdf:resource='/1' enc:url='/1' enc:type='audio/mpeg' enc:length='7'/>
            """,
            """
            <enc:Enclosure><enc:url>/1</enc:url><enc:type>audio/mpeg</enc:type><enc:length>7</enc:length>\
            </enc:Enclosure>
            """,
            "<enc:Enclosure rdf:about='/1'><enc:length>7</enc:length><enc:type>Audio/MPEG</enc:type></enc:Enclosure>",
            "<enc:url rdf:resource='/1'/><enc:type>audio/mpeg</enc:type><enc:length>7</enc:length>",
        ])
    func enclosureProperties(content: String) throws {
        let parsed = try item("<enc:enclosure>\(content)</enc:enclosure><enc:enclosure rdf:resource='/2'/>")
        #expect(
            parsed.enclosures == [
                ParsedEnclosure(url: "https://feed.example/1", type: "audio/mpeg", length: 7),
                ParsedEnclosure(url: "https://feed.example/2"),
            ])
    }

    @Test("The image is a sibling of the channel, or only referenced in it")
    func image() throws {
        let image =
            "<image rdf:about='/i.png'><title>x</title><link>https://no.example/</link><url>/i.png</url></image>"
        for content in orders([Self.channel, image]) {
            let feed = try rdf(content)
            #expect(feed.image == "https://feed.example/i.png")
            #expect(feed.title == "t")
            #expect(feed.link == "https://x.example/")
        }
        let named = Self.channel.replacing("<items>", with: "<image rdf:resource='/n.png'/><items>")
        #expect(try rdf(named).image == "https://feed.example/n.png")
        #expect(try rdf(named + image).image == "https://feed.example/i.png")
    }

    @Test("Fields of a text input do not apply to the channel")
    func textInput() throws {
        for content in orders([
            Self.channel,
            """
            <textinput rdf:about='/q'><title>x</title><description>x</description><name>q</name>\
            <link>https://no.example/</link></textinput>
            """,
        ]) {
            let feed = try rdf(content)
            #expect([feed.title, feed.link, feed.description] == ["t", "https://x.example/", "d"])
        }
    }

    @Test("Dublin Core fields are read in the channel")
    func channelFields() throws {
        let feed = try rdf(
            """
            <channel rdf:about='/'><dc:title>t</dc:title><dc:creator>c</dc:creator><dc:language>en</dc:language>\
            <dc:description>d</dc:description></channel>
            """
        )
        #expect([feed.title, feed.author, feed.language, feed.description] == ["t", "c", "en", "d"])
    }

    @Test(
        "RDF is recognized with any prefix and any default namespace",
        arguments: [
            """
            <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
            xmlns='http://purl.org/rss/1.0/'>|</rdf:RDF>
            """,
            "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>|</r:RDF>",
            """
            <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
            xmlns='http://my.netscape.com/rdf/simple/0.9/'>|</rdf:RDF>
            """,
            "<rdf:RDF>|</rdf:RDF>", "<RDF>|</RDF>",
            "<rdf:rdf xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>|</rdf:rdf>",
            """
            <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
            xmlns='http://purl.org/rss/1.0'>|</rdf:RDF>
            """,
            "<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><wrap xmlns='http://purl.org/rss/1.0/'/>|</RDF>",
        ])
    func roots(_ document: String) throws {
        let content =
            """
            <channel xmlns='http://purl.org/rss/1.0/'><title>t</title></channel><item \
            xmlns='http://purl.org/rss/1.0/'><title>e</title></item>
            """
        let feed = try feed(document.replacing("|", with: content))
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.title) == ["e"])
    }

    @Test("RSS 1.0 with a prefix is read")
    func prefixed() throws {
        let feed = try feed(
            """
            <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:rss='http://purl.org/rss/1.0/'>\
            <rss:channel><rss:title>t</rss:title></rss:channel><rss:item rdf:about='1'><rss:title>e</rss:title>\
            </rss:item></rdf:RDF>
            """
        )
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.id.rawValue) == ["1"])
    }

    @Test(
        "RSS of any version, or none, is read",
        arguments: [
            "<rss version='2.0'>|</rss>", "<rss version='0.91'>|</rss>", "<rss version='0.92'>|</rss>",
            "<rss version='0.93'>|</rss>", "<rss version='0.94'>|</rss>", "<rss>|</rss>", "<rss version='3.14'>|</rss>",
            "<RSS VERSION='2.0'>|</RSS>", "<Rss>|</Rss>",
            "<?xml version='1.0'?><rss version='2.0'>|</rss>",
            """
            <?xml version='1.0'?>\
            <!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' \
            'http://my.netscape.com/publish/formats/rss-0.91.dtd'>\
            <rss version='0.91'>|</rss>
            """,
            "<!-- c --><rss version='2.0'>|</rss><!-- c -->", "<?xml-stylesheet href='x.xsl'?><rss>|</rss>",
            "\n\n<rss>|</rss>", "\u{FEFF}<rss>|</rss>", "<rss version='2.0'>|</rss>junk",
            "<rss version='2.0'>|</rss><rss><channel><title>no</title></channel></rss>",
        ])
    func versions(_ document: String) throws {
        let feed = try feed(
            document.replacing(
                "|",
                with:
                    """
                    <channel><title>t</title><link>/l</link><description>d</description><item><title>e</title></item>\
                    </channel>
                    """
            ))
        #expect([feed.title, feed.link, feed.description] == ["t", "https://feed.example/l", "d"])
        #expect(feed.episodes.map(\.title) == ["e"])
    }

    @Test(
        "Misplaced items are read",
        arguments: [
            "<rss><channel><title>t</title></channel><item><title>e</title></item></rss>",
            "<rss><channel><title>t</title><items><item><title>e</title></item></items></channel></rss>",
            "<rss><item><title>e</title></item><channel><title>t</title></channel></rss>",
            "<rss><channel><item><title>e</title></item><title>t</title></channel></rss>",
            "<rss><title>t</title><item><title>e</title></item></rss>",
            "<rss><channel><title>t</title><item><title>e</title></channel></rss>",
            "<rss><channel><title>t<item><title>e</title></item></channel></rss>",
            "<rss><channel><title>t</title><entry><title>e</title></entry></channel></rss>",
            "<rss><channel><title>t</title><ITEM><TITLE>e</TITLE></ITEM></channel></rss>",
            "<rss><channel><title>t</title><item><title>e</title></item>",
        ])
    func strayItems(_ document: String) throws {
        let feed = try feed(document)
        #expect(feed.title == "t")
        #expect(feed.episodes.map(\.title) == ["e"])
    }

    @Test("RSS 0.92: an item may have only a description, and its source is ignored")
    func userland() throws {
        let parsed = try episode(
            """
            <description>words &lt;a href='/x'&gt;x&lt;/a&gt;</description><source \
            url='https://no.example/'>no</source><category domain='x'>no</category>
            """
        )
        #expect(parsed.title == nil)
        #expect(parsed.link == nil)
        #expect(parsed.description == "words x")
        #expect(parsed.contentHTML == "words <a href=\"https://feed.example/x\">x</a>")
    }

    @Test("A channel without items is a feed, and so is a complete RSS document without a channel")
    func emptiness() throws {
        #expect(try feed("<rss><channel/></rss>").episodes.isEmpty)
        #expect(try feed("<rss><channel><title>t</title></channel></rss>").title == "t")
        #expect(try feed("<rss/>").episodes.isEmpty)
        #expect(try feed("<rss></rss>").isTruncated == false)
        #expect(outcome(of: Array("<rss>".utf8)).feed == nil)
        #expect(outcome(of: Array("<rdf:RDF><x:Person/></rdf:RDF>".utf8)).feed == nil)
    }
}
