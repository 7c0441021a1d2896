// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: Podcasting 2.0 and simple chapters")
struct PodcastingSpecification {
    @Test(
        "Transcripts are read",
        arguments: [
            ("<podcast:transcript url='/t.vtt' type='text/vtt' language='en'/>", ["/t.vtt text/vtt en"]),
            ("<podcast:transcript url='/t.vtt'/>", ["/t.vtt"]), ("<podcast:transcript type='text/vtt'/>", []),
            ("<podcast:transcript url=''/>", []),
            (
                "<podcast:transcript url='/a'/><podcast:transcript url='/b' type='application/srt' rel='captions'/>",
                ["/a", "/b application/srt"]
            ), ("<podcast:transcript url='file:///a'/>", []),
            ("<podcast:transcript url=' /t.vtt ' type=' text/vtt '/>", ["/t.vtt text/vtt"]),
            ("<podcast:Transcript URL='/t.vtt' TYPE='text/vtt'/>", ["/t.vtt text/vtt"]),
            ("<podcast:transcript url='/t.vtt'>text</podcast:transcript>", ["/t.vtt"]),
            ("<transcript url='/t.vtt'/>", []),
        ])
    func transcripts(_ content: String, _ expected: [String]) throws {
        let shown = try episode(content).transcripts.map {
            [String($0.url.dropFirst(20)), $0.type, $0.language].compactMap(\.self).joined(separator: " ")
        }
        #expect(shown == expected)
    }

    @Test(
        "Persons are read",
        arguments: [
            ("<podcast:person>Ada</podcast:person>", ["Ada"]),
            (
                "<podcast:person role='guest' group='cast' href='/a' img='/a.png'>Ada</podcast:person>",
                ["Ada guest cast /a /a.png"]
            ), ("<podcast:person/>", []), ("<podcast:person href='/a'> </podcast:person>", []),
            (
                "<podcast:person>A &amp; B</podcast:person><podcast:person role='Host'>C</podcast:person>",
                ["A & B", "C Host"]
            ), ("<podcast:person img='javascript:x'>Ada</podcast:person>", ["Ada"]),
            ("<podcast:person> Ada\n Holm </podcast:person>", ["Ada Holm"]),
        ])
    func persons(_ content: String, _ expected: [String]) throws {
        func shown(_ persons: [ParsedPerson]) -> [String] {
            persons.map {
                [
                    $0.name, $0.role, $0.group, $0.url.map { String($0.dropFirst(20)) },
                    $0.image.map { String($0.dropFirst(20)) },
                ].compactMap(\.self).joined(separator: " ")
            }
        }
        #expect(shown(try episode(content).persons) == expected)
        #expect(shown(try channel(content).persons) == expected)
    }

    @Test(
        "Chapters are read",
        arguments: [
            ("start='00:00:00' title='a'", ["0 a"]), ("start='0' title='a'", ["0 a"]),
            ("start='00:01:02.500' title='a'", ["62.5 a"]), ("start='1:02' title='a'", ["62 a"]),
            ("start='62.5' title='a'", ["62.5 a"]),
            ("start='1:00:00' title='a' href='/h' image='/i'", ["3600 a /h /i"]),
            ("start='5'", ["5"]), ("title='a'", []), ("start='' title='a'", []), ("start='x' title='a'", []),
            ("start='-1' title='a'", []), ("START='5' TITLE='a &amp; b'", ["5 a & b"]),
            ("start=' 5 ' title=' a '", ["5 a"]), ("start='5' title='a' href='javascript:x'", ["5 a"]),
        ])
    func chapters(_ attributes: String, _ expected: [String]) throws {
        for content in [
            "<psc:chapters version='1.2'><psc:chapter \(attributes)/></psc:chapters>",
            "<psc:chapters><psc:chapter \(attributes)></psc:chapter></psc:chapters>",
        ] {
            let shown = try episode(content).chapters.map { chapter in
                let seconds =
                    Double(chapter.start.components.seconds) + Double(chapter.start.components.attoseconds) / 1e18
                let start = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
                return
                    ([
                        start, chapter.title, chapter.url.map { String($0.dropFirst(20)) },
                        chapter.imageURL.map { String($0.dropFirst(20)) },
                    ] as [String?]).compactMap(\.self).joined(separator: " ")
            }
            #expect(shown == expected)
        }
        #expect(try episode("<psc:chapter \(attributes)/>").chapters.isEmpty)
    }

    @Test("Chapters are in document order, and a chapters document may exist as well")
    func chapterOrder() throws {
        let parsed = try episode(
            """
            <podcast:chapters url='/c.json' type='application/json+chapters'/><psc:chapters><psc:chapter start='9' \
            title='b'/><psc:chapter start='5' title='a'/></psc:chapters>
            """
        )
        #expect(parsed.chapters.map(\.title) == ["b", "a"])
        #expect(parsed.chaptersURL == "https://feed.example/c.json")
        #expect(try episode("<podcast:chapters/>").chaptersURL == nil)
        #expect(
            try episode("<podcast:chapters url='/a'/><podcast:chapters url='/b'/>").chaptersURL
                == "https://feed.example/a")
    }

    @Test("A live item is not an episode, wherever it is in the document")
    func liveItems() throws {
        let live = """
            <podcast:liveItem status='LIVE' start='2024-02-29T18:30:00Z' end='2024-02-29T19:30:00+00:00'>\
            <title>l</title><guid>g</guid><link>/l</link>
            <enclosure url='/l.mp3' type='audio/mpeg'/><podcast:contentLink href='/watch'>Watch</podcast:contentLink>\
            <itunes:image href='/l.png'/><podcast:value type='x'/></podcast:liveItem>
            """
        for content in orders([live, "<item><title>e</title></item>", "<title>t</title>"]) {
            let feed = try channel(content)
            #expect(feed.episodes.map(\.title) == ["e"])
            #expect(feed.title == "t")
            #expect([feed.link, feed.image] == [nil, nil])
            #expect(feed.value == nil)
            let item = try #require(feed.liveItems.first)
            #expect(
                [item.title, item.guid, item.link, item.image] == [
                    "l", "g", "https://feed.example/l", "https://feed.example/l.png",
                ])
            #expect(item.status == .live)
            #expect(
                [item.start, item.end].map { $0?.description } == ["2024-02-29T18:30:00Z", "2024-02-29T19:30:00Z"])
            #expect(item.enclosures.map(\.url) == ["https://feed.example/l.mp3"])
            #expect(
                item.contentLinks == [ParsedLiveItem.ContentLink(url: "https://feed.example/watch", title: "Watch")])
        }
        #expect(try channel("<podcast:liveItem status='x' start='y'/>").liveItems == [ParsedLiveItem()])
    }

    @Test(
        "Trailers are read",
        arguments: [
            (
                """
                <podcast:trailer url='/t.mp3' type='audio/mpeg' length='7' pubdate='Thu, 29 Feb 2024 18:30:00 GMT' \
                season='2'>Soon</podcast:trailer>
                """,
                ["Soon /t.mp3 audio/mpeg 7 2024-02-29T18:30:00Z 2"]
            ), ("<podcast:trailer url='/t.mp3'/>", ["/t.mp3"]), ("<podcast:trailer>Soon</podcast:trailer>", []),
            (
                "<podcast:trailer url='/a'>A</podcast:trailer><podcast:trailer url='/b'>B</podcast:trailer>",
                ["A /a", "B /b"]
            ), ("<item><podcast:trailer url='/a'>A</podcast:trailer></item>", []),
        ])
    func trailers(_ content: String, _ expected: [String]) throws {
        let shown = try channel(content).trailers.map { trailer in
            let fields: [String?] = [
                trailer.title, String(trailer.enclosure.url.dropFirst(20)), trailer.enclosure.type,
                trailer.enclosure.length.map { "\($0)" }, trailer.published?.description,
                trailer.season.map { "\($0)" },
            ]
            return fields.compactMap(\.self).joined(separator: " ")
        }
        #expect(shown == expected)
        #expect(try channel(content).title == nil)
    }

    @Test("A value block contains its own recipients, not those of its time splits")
    func value() throws {
        let block = """
            <podcast:value type='lightning' method='keysend' suggested='0.00000005'>
            <podcast:valueRecipient name='Ada' type='node' address='02ab' split='90' customKey='906608' \
            customValue='01x'/><podcast:valueRecipient name='App' type='node' address='03cd' split='10' fee='true'/>\
            <podcast:valueRecipient name='none' split='5'/>
            <podcast:valueTimeSplit startTime='60' duration='10'><podcast:valueRecipient name='no' address='04' \
            split='100'/><podcast:remoteItem feedGuid='f'/></podcast:valueTimeSplit></podcast:value>
            """
        for value in [try channel(block).value, try episode(block).value] {
            let value = try #require(value)
            #expect([value.type, value.method, value.suggested] == ["lightning", "keysend", "0.00000005"])
            #expect(value.recipients.map(\.address) == ["02ab", "03cd"])
            #expect(value.recipients.map(\.split) == [90, 10])
            #expect(value.recipients.map(\.isFee) == [false, true])
            #expect(
                [value.recipients[0].customKey, value.recipients[0].customValue, value.recipients[0].name] == [
                    "906608", "01x", "Ada",
                ])
        }
        #expect(try channel("<item>\(block)</item>").value == nil)
        #expect(try channel("<podcast:value/>").value == nil)
        #expect(try channel("<podcast:value type='a'/><podcast:value type='b'/>").value?.type == "a")
    }

    @Test("Alternate enclosures have one or more sources")
    func alternateEnclosures() throws {
        let parsed = try episode(
            """
            <podcast:alternateEnclosure type='audio/Opus' length='7' bitrate='32000.5' height='720' lang='en' \
            title='Small' rel='x' codecs='opus' default='true'><podcast:source uri='/a.opus'/>
            <podcast:source uri='ipfs://abc' contentType='audio/opus'/><podcast:source uri='javascript:x'/>\
            <podcast:source/><podcast:integrity type='sri' value='sha384-x'/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type='video/mp4'/><podcast:alternateEnclosure type='video/mp4' bitrate='-1' \
            length='x'><podcast:source uri='magnet:?xt=1'/></podcast:alternateEnclosure>
            """)
        #expect(parsed.enclosures.isEmpty)
        #expect(parsed.alternateEnclosures.count == 2)
        let first = try #require(parsed.alternateEnclosures.first)
        #expect(
            [first.type, first.language, first.title, first.rel, first.codecs] == [
                "audio/opus", "en", "Small", "x", "opus",
            ])
        #expect(first.sources.map(\.uri) == ["https://feed.example/a.opus", "ipfs://abc"])
        #expect(first.sources.map(\.type) == [nil, "audio/opus"])
        #expect(first.length == 7)
        #expect(first.bitrate == 32_000.5)
        #expect(first.height == 720)
        #expect(first.isDefault)
        #expect(first.integrity == ParsedAlternateEnclosure.Integrity(type: "sri", value: "sha384-x"))
        let second = try #require(parsed.alternateEnclosures.last)
        #expect(second.sources.map(\.uri) == ["magnet:?xt=1"])
        #expect([second.bitrate, second.length.map(Double.init)] == [nil, nil])
        #expect(!second.isDefault)
        #expect(second.integrity == nil)
    }

    @Test("Other tags of an episode are read")
    func episodeTags() throws {
        let parsed = try episode(
            """
            <podcast:soundbite startTime='73.0' duration='60.5'>Best of</podcast:soundbite><podcast:soundbite \
            startTime='0' duration='5'/><podcast:soundbite startTime='1'/><podcast:soundbite startTime='x' \
            duration='5'/>
            <podcast:socialInteract protocol='ActivityPub' uri='/s' accountId='@ada' accountUrl='/ada' priority='1'/>\
            <podcast:socialInteract protocol='disabled'/><podcast:socialInteract uri='/s'/>
            <podcast:license url='/lic'>cc-by-4.0</podcast:license><podcast:location geo='geo:59.3,18.0' \
            osm='R398021'>Stockholm</podcast:location>
            """)
        #expect(
            parsed.soundbites == [
                ParsedSoundbite(start: .seconds(73), duration: .milliseconds(60_500), title: "Best of"),
                ParsedSoundbite(start: .zero, duration: .seconds(5)),
            ])
        #expect(parsed.socialInteractions.map(\.platform) == ["activitypub", "disabled"])
        #expect(parsed.socialInteractions.map(\.uri) == ["https://feed.example/s", nil])
        #expect(parsed.socialInteractions.first?.accountID == "@ada")
        #expect(parsed.socialInteractions.first?.accountURL == "https://feed.example/ada")
        #expect(parsed.socialInteractions.first?.priority == 1)
        #expect(parsed.license == ParsedLicense(identifier: "cc-by-4.0", url: "https://feed.example/lic"))
        #expect(parsed.location == ParsedLocation(name: "Stockholm", geo: "geo:59.3,18.0", openStreetMap: "R398021"))
    }

    @Test("Other tags of a show are read")
    func showTags() throws {
        let feed = try channel(
            """
            <podcast:locked owner='o@x.example'>Yes</podcast:locked><podcast:medium> Music </podcast:medium>\
            <podcast:license>mit</podcast:license><podcast:location>Uppsala</podcast:location>
            <podcast:updateFrequency rrule='FREQ=WEEKLY' dtstart='2024-02-29T18:30:00Z' \
            complete='false'>Weekly</podcast:updateFrequency><itunes:complete>Yes</itunes:complete>\
            <itunes:block>yes</itunes:block>
            <podcast:podroll><podcast:remoteItem feedGuid='a' feedUrl='/a' itemGuid='i' medium='Podcast' title='A'/>\
            <podcast:remoteItem/><podcast:remoteItem feedUrl='/b'/></podcast:podroll><podcast:remoteItem \
            feedGuid='no'/>
            """)
        #expect(feed.lock == ParsedLock(isLocked: true, owner: "o@x.example"))
        #expect(feed.medium == "music")
        #expect(feed.license?.identifier == "mit")
        #expect(feed.location?.name == "Uppsala")
        #expect(
            [
                feed.updateFrequency?.text, feed.updateFrequency?.recurrenceRule,
                feed.updateFrequency?.start?.description,
            ] == ["Weekly", "FREQ=WEEKLY", "2024-02-29T18:30:00Z"])
        #expect(feed.updateFrequency?.isComplete == false)
        #expect(feed.isComplete)
        #expect(feed.isBlocked)
        #expect(feed.podroll.map(\.feedGUID) == ["a", nil])
        #expect(feed.podroll.map(\.feedURL) == ["https://feed.example/a", "https://feed.example/b"])
        #expect(
            [feed.podroll.first?.itemGUID, feed.podroll.first?.medium, feed.podroll.first?.title] == [
                "i", "podcast", "A",
            ])
    }

    @Test("Tags of an item do not apply to the show")
    func keepsToItems() throws {
        let feed = try channel(
            """
            <item><podcast:locked>yes</podcast:locked><podcast:medium>x</podcast:medium>\
            <itunes:complete>yes</itunes:complete><itunes:block>yes</itunes:block><podcast:person>x</podcast:person>\
            <podcast:license>x</podcast:license></item>
            """
        )
        #expect(feed.lock == nil)
        #expect([feed.medium, feed.license?.identifier] == [nil, nil])
        #expect(!feed.isComplete)
        #expect(!feed.isBlocked)
        #expect(feed.persons.isEmpty)
    }
}
