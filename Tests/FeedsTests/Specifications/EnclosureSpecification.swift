// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: enclosures")
struct EnclosureSpecification {
    /// Returns "url type length" for each enclosure, without missing parts.
    private func shown(_ enclosures: [ParsedEnclosure]) -> [String] {
        enclosures.map { enclosure in
            ([enclosure.url, enclosure.type, enclosure.length.map { "\($0)" }] as [String?]).compactMap(\.self)
                .joined(separator: " ")
        }
    }

    @Test(
        "The address is absolute and trimmed, and a length of 0 is ignored",
        arguments: [
            ("url='https://x.example/1.mp3' type='audio/mpeg' length='7'", "https://x.example/1.mp3 audio/mpeg 7"),
            ("length='7' type='audio/mpeg' url='https://x.example/1.mp3'", "https://x.example/1.mp3 audio/mpeg 7"),
            ("URL='https://x.example/1.mp3' TYPE='audio/mpeg' LENGTH='7'", "https://x.example/1.mp3 audio/mpeg 7"),
            (
                "url=' https://x.example/1.mp3\n' type=' audio/mpeg ' length=' 7 '",
                "https://x.example/1.mp3 audio/mpeg 7"
            ),
            ("href='https://x.example/1.mp3' length='7'", "https://x.example/1.mp3 7"),
            ("url='https://x.example/a b.mp3'", "https://x.example/a%20b.mp3"),
            ("url='https://x.example/a%20b.mp3'", "https://x.example/a%20b.mp3"),
            ("url='https://x.example/1.mp3?a=1&amp;b=2'", "https://x.example/1.mp3?a=1&b=2"),
            ("url='https://x.example/1.mp3?a=1&b=2'", "https://x.example/1.mp3?a=1&b=2"),
            ("url='https://x.example/1.mp3?a=1&amp;amp;b=2'", "https://x.example/1.mp3?a=1&b=2"),
            ("url='https://x.example/1.mp3?copy=1&copy=2'", "https://x.example/1.mp3?copy=1&copy=2"),
            ("url='1.mp3'", "https://feed.example/show/1.mp3"), ("url='/1.mp3'", "https://feed.example/1.mp3"),
            ("url='//x.example/1.mp3'", "https://x.example/1.mp3"), ("url='../1.mp3'", "https://feed.example/1.mp3"),
            ("url='http://x.example:8080/1.mp3'", "http://x.example:8080/1.mp3"),
            ("url='https://u:p@x.example/1.mp3'", "https://u:p@x.example/1.mp3"),
            ("url='https://x.example/é.mp3'", "https://x.example/é.mp3"),
            ("url='https://x.example/1.mp3' length='0'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='-1'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length=''", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='unknown'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='12.5'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='12 MB'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='1,234'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='0x10'", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' length='18446744073709551616'", "https://x.example/1.mp3"),
            (
                "url='https://x.example/1.mp3' length='9223372036854775807'",
                "https://x.example/1.mp3 9223372036854775807"
            ),
            ("url='https://x.example/1.mp3' length='007'", "https://x.example/1.mp3 7"),
            ("url='https://x.example/1.mp3' type=''", "https://x.example/1.mp3"),
            ("url='https://x.example/1.mp3' type='Audio/MPEG'", "https://x.example/1.mp3 audio/mpeg"),
            ("url=https://x.example/1.mp3 type=audio/mpeg length=7", "https://x.example/1.mp3 audio/mpeg 7"),
            ("url='https://x.example/1.mp3'type='audio/mpeg'length='7'", "https://x.example/1.mp3 audio/mpeg 7"),
            ("url='https://x.example/1.jpg' type='image/jpeg'", "https://x.example/1.jpg image/jpeg"),
        ])
    func attributes(_ attributes: String, _ expected: String) throws {
        #expect(shown(try episode("<enclosure \(attributes)/>").enclosures) == [expected])
        #expect(shown(try episode("<enclosure \(attributes)></enclosure>").enclosures) == [expected])
        #expect(shown(try episode("<Enclosure \(attributes) />").enclosures) == [expected])
    }

    @Test(
        "An enclosure without a web address is ignored",
        arguments: [
            "", "url=''", "url=' '", "url='file:///etc/passwd'", "url='javascript:x'",
            "url='data:audio/mpeg;base64,AA'",
            "url='ftp://x.example/1.mp3'", "url='http://'", "type='audio/mpeg' length='7'", "url='magnet:?xt=1'",
            "url='itpc://x.example/1'",
        ])
    func nowhere(_ attributes: String) throws {
        #expect(try episode("<enclosure \(attributes)/><title>t</title>").enclosures == [])
    }

    @Test(
        "Enclosures come first, then Atom links, then Media RSS, each address once, each kind in document order",
        arguments: [
            (["<enclosure url='/1'/>", "<enclosure url='/2'/>"], ["/1", "/2"]),
            (["<enclosure url='/1'/>", "<enclosure url='/1'/>"], ["/1"]),
            (["<media:content url='/2' type='audio/mpeg'/>", "<enclosure url='/1'/>"], ["/1", "/2"]),
            (["<atom:link rel='enclosure' href='/2'/>", "<enclosure url='/1'/>"], ["/1", "/2"]),
            (
                [
                    "<media:content url='/3' type='audio/mpeg'/>", "<atom:link rel='enclosure' href='/2'/>",
                    "<enclosure url='/1'/>",
                ], ["/1", "/2", "/3"]
            ),
            (["<media:content url='/1' type='audio/mpeg'/>", "<enclosure url='/1'/>"], ["/1"]),
            (
                [
                    """
                    <media:group><media:content url='/2' medium='audio'/><media:content url='/1' medium='audio'/>\
                    </media:group>
                    """
                ], ["/2", "/1"]
            ),
            (
                [
                    "<media:content url='/2' medium='video'/>",
                    "<media:group><media:content url='/1' medium='audio'/></media:group>",
                ], ["/2", "/1"]
            ),
            (["<media:content url='/a.jpg' medium='image'/>", "<media:content url='/1' medium='audio'/>"], ["/1"]),
            (["<media:content url='/a.jpg' type='image/jpeg'/>"], []),
            (["<media:content url='/a.html' type='text/html'/>"], []),
            (["<media:content url='/a' medium='document'/>"], []),
            (["<media:content url='/a' medium='executable'/>"], []),
            (["<media:content url='/a'/>"], []), (["<media:content url='/a.mp3'/>"], ["/a.mp3"]),
            (["<media:content url='/a.jpg'/>"], []),
            (["<media:content url='/a' type='application/x-shockwave-flash'/>"], []),
            (["<media:content url='/a.mp3' type='application/octet-stream'/>"], ["/a.mp3"]),
            (["<media:content url='/a.wmv' type='application/x-ms-wmd'/>"], ["/a.wmv"]),
            (["<media:content url='/a.pdf' type='application/pdf'/>"], []),
            (["<media:content url='/a.mp3' type='application/xml' medium='document'/>"], []),
            (["<media:content medium='audio'/>"], []),
            (["<media:content url='/1' type='AUDIO/MPEG'/>"], ["/1"]),
            (["<media:content url='/1' medium='Audio'/>"], ["/1"]),
            (
                ["<atom:link rel='alternate' href='/x'/>", "<atom:link rel='enclosure' href='/1' type='audio/mpeg'/>"],
                ["/1"]
            ),
            (["<atom:link rel='http://www.iana.org/assignments/relation/enclosure' href='/1'/>"], ["/1"]),
            (["<link rel='enclosure' href='/1'/>"], ["/1"]),
            (["<podcast:source uri='/x'/>", "<enclosure url='/1'/>"], ["/1"]),
            (
                [
                    """
                    <podcast:alternateEnclosure type='audio/opus'><podcast:source uri='/x'/>\
                    </podcast:alternateEnclosure>
                    """,
                    "<enclosure url='/1'/>",
                ], ["/1"]
            ),
            (["<podcast:trailer url='/x'>t</podcast:trailer>", "<enclosure url='/1'/>"], ["/1"]),
            (["<atom:content src='/1' type='audio/mpeg'/>"], ["/1"]),
            (["<source><enclosure url='/x'/></source>", "<enclosure url='/1'/>"], ["/1"]),
            (["<media:player url='/x'/>", "<enclosure url='/1'/>"], ["/1"]),
            (["<media:peerLink href='/x' type='application/x-bittorrent'/>", "<enclosure url='/1'/>"], ["/1"]),
            (
                ["<media:content url='/1' medium='audio'><media:content url='/2' medium='audio'/></media:content>"],
                ["/2", "/1"]
            ),
        ] as [([String], [String])])
    func order(_ elements: [String], _ expected: [String]) throws {
        let item = elements.joined()
        #expect(try episode(item).enclosures.map(\.url) == expected.map { "https://feed.example" + $0 })
    }

    @Test("Elements inside an enclosure do not apply to the item")
    func children() throws {
        let inner = "bad text<media:title>no</media:title><title>no</title><media:content url='/no' medium='audio'/>"
        let parsed = try episode("<enclosure url='/1.mp3'>\(inner)</enclosure><description>d</description>")
        #expect(parsed.title == nil)
        #expect(parsed.enclosures.map(\.url) == ["https://feed.example/1.mp3"])
        #expect(parsed.description == "d")
    }

    @Test("Missing attributes of an enclosure are taken from other elements with the same address")
    func completes() throws {
        let media = "<media:content url='/1' type='audio/mpeg' fileSize='7'/>"
        for item in orders(["<enclosure url='/1'/>", media]) {
            #expect(shown(try episode(item).enclosures) == ["https://feed.example/1 audio/mpeg 7"])
        }
        for item in orders(["<enclosure url='/1' type='audio/mp3' length='9'/>", media]) {
            #expect(shown(try episode(item).enclosures) == ["https://feed.example/1 audio/mp3 9"])
        }
    }

    @Test(
        "Sizes and durations of Media RSS are read",
        arguments: [
            ("fileSize='7' duration='63'", "7", 63.0), ("filesize='7' duration='1:03'", "7", 63),
            ("fileSize='-7' duration='63.5'", "", 63.5),
            ("fileSize='' duration=''", "", nil), ("fileSize='x' duration='x'", "", nil), ("duration='0'", "", nil),
        ] as [(String, String, Double?)])
    func media(_ attributes: String, _ size: String, _ duration: Double?) throws {
        let parsed = try episode("<media:content url='/1' medium='audio' \(attributes)/>")
        #expect(parsed.enclosures.map { $0.length.map { "\($0)" } ?? "" } == [size])
        #expect(parsed.duration == duration.map { .milliseconds(Int($0 * 1_000)) })
        let picture = try episode("<media:content url='/1.jpg' medium='image' \(attributes)/>")
        #expect(picture.duration == nil)
    }

    @Test(
        "The first playable enclosure is the episode's",
        arguments: [
            (["/1.jpg image/jpeg", "/2.mp3 audio/mpeg"], "/2.mp3"), (["/1.pdf application/pdf", "/2 "], "/2"),
            (["/1.jpg ", "/2.mp3 "], "/2.mp3"),
            (["/1.mp3 application/octet-stream", "/2.mp3 audio/mpeg"], "/1.mp3"),
            (["/1.pdf application/octet-stream", "/2 "], "/2"),
            (["/1.mp4 video/mp4"], "/1.mp4"), (["/1.mp3 mp3"], "/1.mp3"), (["/1.html text/html"], nil),
            (["/1.mp3 image/jpeg"], "/1.mp3"), (["/1 image/jpeg"], nil),
            (["/1.jpg?x=1.mp3 "], nil),
            (["/1.mp3?x=1.jpg "], "/1.mp3?x=1.jpg"),
            (["/1.torrent application/x-bittorrent", "/2.mp3 audio/mpeg"], "/2.mp3"),
        ] as [([String], String?)])
    func playable(_ enclosures: [String], _ expected: String?) throws {
        let item = enclosures.map { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            return "<enclosure url='\(parts[0])' type='\(parts[1])'/>"
        }
        #expect(
            try episode(item.joined()).enclosures.first(where: \.isPlayable)?.url
                == expected.map { "https://feed.example" + $0 })
    }
}
