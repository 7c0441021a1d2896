// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: people and images")
struct PeopleSpecification {
    private static let sources = [
        "<itunes:author>itunes</itunes:author>", "<author>rss</author>",
        "<atom:author><atom:name>atom</atom:name></atom:author>",
        "<dc:creator>creator</dc:creator>", "<googleplay:author>google</googleplay:author>",
    ]

    @Test("itunes:author overrides the others, in any order", arguments: 0..<5)
    func precedence(_ first: Int) throws {
        let names = ["itunes", "rss", "atom", "creator", "google"]
        for content in orders(Array(Self.sources[first...])) {
            #expect(try episode(content).author == names[first])
            #expect(try channel(content).author == names[first])
        }
    }

    @Test(
        "A person is read by name",
        arguments: [
            ("<author>Ada Holm</author>", "Ada Holm"), ("<author>ada@x.example (Ada Holm)</author>", "Ada Holm"),
            ("<author>ada@x.example</author>", "ada@x.example"),
            ("<author> Ada \n Holm </author>", "Ada Holm"), ("<author>Ada &amp; Bo</author>", "Ada & Bo"),
            ("<author><![CDATA[Ada & Bo]]></author>", "Ada & Bo"),
            ("<author>Ada Holm (host)</author>", "Ada Holm (host)"), ("<author/><dc:creator>Bo</dc:creator>", "Bo"),
            ("<author> </author>", nil),
            ("<author><name>Ada</name><email>ada@x.example</email></author>", "Ada"),
            ("<author><email>ada@x.example</email></author>", "ada@x.example"),
            ("<author><p>Ada Holm</p></author>", "Ada Holm"),
            ("<author><x:age>7</x:age><name>Ada</name></author>", "Ada"),
            ("<author>ada@x.example ()</author>", "ada@x.example ()"),
            ("<dc:creator>ada@x.example (Ada)</dc:creator>", "Ada"), ("<dc:author>Ada</dc:author>", "Ada"),
            ("<itunes:author/><author>Ada</author>", "Ada"),
            ("<itunes:author>A</itunes:author><itunes:author>B</itunes:author>", "A"),
            ("<atom:author><atom:email>a@x.example</atom:email></atom:author>", "a@x.example"),
            ("<atom:author><atom:uri>https://x.example/</atom:uri></atom:author>", "https://x.example/"),
            ("<atom:author><atom:uri>https://x.example/</atom:uri><atom:name>Ada</atom:name></atom:author>", "Ada"),
            ("<atom:contributor><atom:name>no</atom:name></atom:contributor>", nil), ("<atom:author/>", nil),
            ("<podcast:person>no</podcast:person>", nil),
            (
                """
                <atom:author><atom:name>A</atom:name></atom:author><atom:author><atom:name>B</atom:name></atom:author>
                """,
                "A"
            ),
        ] as [(String, String?)])
    func person(_ content: String, _ expected: String?) throws {
        #expect(try episode(content).author == expected)
        #expect(try channel(content).author == expected)
    }

    @Test(
        "Credits of Media RSS have the lowest precedence",
        arguments: [
            ("<media:credit role='author'>Ada</media:credit>", "Ada"),
            ("<media:credit role='producer'>P</media:credit><media:credit role='author'>Ada</media:credit>", "Ada"),
            ("<media:credit>Ada</media:credit><author>Bo</author>", "Bo"),
            ("<media:group><media:credit>Ada</media:credit></media:group>", "Ada"),
            ("<media:content url='/1' medium='audio'><media:credit>Ada</media:credit></media:content>", "Ada"),
        ])
    func credit(_ content: String, _ expected: String) throws {
        #expect(try episode(content).author == expected)
    }

    @Test(
        "Other persons of a channel substitute for a missing author",
        arguments: [
            ("<managingEditor>ed@x.example (Ed)</managingEditor>", "Ed"),
            (
                "<itunes:owner><itunes:name>Own</itunes:name><itunes:email>o@x.example</itunes:email></itunes:owner>",
                "Own"
            ),
            ("<webMaster>web@x.example (Web)</webMaster>", "Web"),
            ("<webMaster>Web</webMaster><managingEditor>Ed</managingEditor>", "Ed"),
            ("<dc:publisher>Pub</dc:publisher>", "Pub"),
            ("<itunes:owner><itunes:name>Own</itunes:name></itunes:owner><itunes:author>A</itunes:author>", "A"),
            ("<managingEditor>ed@x.example</managingEditor>", "ed@x.example"),
            ("<item><author>no</author></item><managingEditor>Ed</managingEditor>", "Ed"),
            ("<itunes:owner><itunes:email>o@x.example</itunes:email></itunes:owner>", nil),
        ] as [(String, String?)])
    func channelPerson(_ content: String, _ expected: String?) throws {
        #expect(try channel(content).author == expected)
    }

    @Test("An owner has a name and a mail address")
    func owner() throws {
        let owner =
            "<itunes:owner><itunes:name>Own</itunes:name><itunes:email> o@x.example </itunes:email></itunes:owner>"
        for content in orders([owner, "<googleplay:email>g@x.example</googleplay:email>"]) {
            let feed = try channel(content)
            #expect(feed.ownerName == "Own")
            #expect(feed.ownerEmail == "o@x.example")
        }
        #expect(try channel("<googleplay:owner>g@x.example</googleplay:owner>").ownerEmail == "g@x.example")
    }

    @Test(
        "An image is read from an attribute or from text",
        arguments: [
            ("<itunes:image href='https://x.example/i.png'/>", "https://x.example/i.png"),
            ("<itunes:image>https://x.example/i.png</itunes:image>", "https://x.example/i.png"),
            ("<itunes:image url='https://x.example/i.png'/>", "https://x.example/i.png"),
            ("<itunes:image href=' /i.png '/>", "https://feed.example/i.png"),
            ("<itunes:image href='i b.png'/>", "https://feed.example/show/i%20b.png"), ("<itunes:image href=''/>", nil),
            ("<itunes:image/>", nil),
            ("<itunes:image>href=https://x.example/i.png</itunes:image>", nil),
            ("<itunes:image href='javascript:x'/>", nil), ("<itunes:image href='data:image/png;base64,AA'/>", nil),
            ("<itunes:IMAGE HREF='/i.png'/>", "https://feed.example/i.png"),
            ("<itunes:image><url>/i.png</url></itunes:image>", "https://feed.example/i.png"),
            ("<image><url>/i.png</url></image>", "https://feed.example/i.png"),
            ("<image>\n<url>\n/i.png\n</url>\n<title>t</title></image>", "https://feed.example/i.png"),
            ("<image><title>t</title><url>/i.png</url></image>", "https://feed.example/i.png"),
            ("<image>https://x.example/i.png</image>", "https://x.example/i.png"),
            ("<image href='/i.png'/>", "https://feed.example/i.png"), ("<image/>", nil),
            ("<image><link>https://x.example/no</link></image>", nil),
            ("<googleplay:image href='/i.png'/>", "https://feed.example/i.png"),
            ("<media:thumbnail url='/i.png'/>", "https://feed.example/i.png"),
            ("<media:group><media:thumbnail url='/i.png'/></media:group>", "https://feed.example/i.png"),
            ("<itunes:link rel='image' href='/i.png' type='image/png'/>", "https://feed.example/i.png"),
            ("<itunes:link rel='self' href='/i.png'/>", nil),
            ("<podcast:images srcset='/i.png 1500w, /s.png 300w'/>", "https://feed.example/i.png"),
            ("<itunes:image href='/a.png'/><itunes:image href='/b.png'/>", "https://feed.example/a.png"),
            ("<itunes:image href=''>/i.png</itunes:image>", "https://feed.example/i.png"),
            ("<xml:image href='/i.png'/>", nil),
        ] as [(String, String?)])
    func picture(_ content: String, _ expected: String?) throws {
        #expect(try channel(content).image == expected)
        #expect(try episode(content).image == expected)
    }

    private static let itunes = "<itunes:image href='/itunes.png'/>"
    private static let rss = "<image><url>/rss.png</url></image>"
    private static let logo = "<atom:logo>/logo.png</atom:logo>"
    private static let google = "<googleplay:image href='/google.png'/>"
    private static let thumbnail = "<media:thumbnail url='/thumbnail.png'/>"

    @Test(
        "itunes:image comes first, then image, logo and thumbnail, in any order",
        arguments: [
            ([itunes, rss, logo, thumbnail], "/itunes.png"), ([rss, logo, google, thumbnail], "/rss.png"),
            ([logo, google, thumbnail], "/logo.png"),
            ([google, thumbnail], "/google.png"), ([thumbnail, "<atom:icon>/icon.png</atom:icon>"], "/thumbnail.png"),
            (["<atom:icon>/icon.png</atom:icon>"], "/icon.png"),
            (["<itunes:image/>", rss], "/rss.png"), (["<itunes:image href=' '/>", rss, logo], "/rss.png"),
            (["<image><url/></image>", logo], "/logo.png"),
        ])
    func picturePrecedence(_ elements: [String], _ expected: String) throws {
        for content in orders(elements) { #expect(try channel(content).image == "https://feed.example" + expected) }
    }

    @Test(
        "The image of an item is read",
        arguments: [
            ([itunes, thumbnail], "/itunes.png"),
            (["<media:content url='/a.jpg' medium='image'/>", thumbnail], "/thumbnail.png"),
            (["<media:content url='/a.jpg' type='image/jpeg'/>"], "/a.jpg"),
            (["<media:content url='/1.mp3' medium='audio'>" + thumbnail + "</media:content>"], "/thumbnail.png"),
            (["<enclosure url='/e.png' type='image/png'/>"], "/e.png"),
            (["<enclosure url='/1.mp3' type='audio/mpeg'/>"], nil),
            (["<enclosure url='/e.png' type='image/png'/>", itunes], "/itunes.png"),
        ] as [([String], String?)])
    func itemPicture(_ elements: [String], _ expected: String?) throws {
        let other = "<item><itunes:image href='/other.png'/></item>"
        for item in orders(elements) {
            let feed = try channel(Self.rss + other + "<item>\(item)</item>")
            #expect(feed.episodes.last?.image == expected.map { "https://feed.example" + $0 })
            #expect(feed.image == "https://feed.example/rss.png")
        }
    }
}
