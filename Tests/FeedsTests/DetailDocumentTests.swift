// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

/// What the library keeps of a feed besides its columns, as JSON. Source: the podcast namespace 1.0.
@Suite("Details of shows and episodes")
struct DetailDocumentTests {
    @Test(
        "An episode keeps each of its details",
        arguments: [
            (
                #"<podcast:soundbite startTime="73.5" duration="60">Why</podcast:soundbite>"#,
                #"{"soundbites":[{"start":73.5,"duration":60,"title":"Why"}]}"#
            ),
            (
                #"<podcast:socialInteract protocol="activitypub" uri="https://social.example/1" accountId="@host" "#
                    + #"accountUrl="https://social.example/@host"/>"#,
                #"{"socialInteractions":[{"platform":"activitypub","uri":"https://social.example/1","#
                    + #""accountID":"@host","accountURL":"https://social.example/@host"}]}"#
            ),
            (
                #"<podcast:license url="https://host.example/license">cc-by-4.0</podcast:license>"#,
                #"{"licenses":[{"identifier":"cc-by-4.0","url":"https://host.example/license"}]}"#
            ),
            (
                #"<podcast:location geo="geo:54.8,9.4" osm="R62700">Flensburg</podcast:location>"#,
                #"{"locations":[{"name":"Flensburg","geo":"geo:54.8,9.4","openStreetMap":"R62700"}]}"#
            ),
            (
                #"<podcast:value type="lightning" method="keysend" suggested="0.00000005000">"#
                    + #"<podcast:valueRecipient name="Ada" type="node" address="02d5" split="95"/></podcast:value>"#,
                #"{"values":[{"type":"lightning","method":"keysend","suggested":"0.00000005000","recipients":["#
                    + #"{"name":"Ada","type":"node","address":"02d5","split":95}]}]}"#
            ),
        ])
    func ofEpisode(_ element: String, _ expected: String) throws {
        let episode = try episode("<title>Fog</title>\(element)")
        #expect(DetailDocument.text(of: episode) == expected)
    }

    @Test(
        "A show keeps each of its details",
        arguments: [
            (
                #"<podcast:podroll><podcast:remoteItem feedGuid="917393e3" feedUrl="https://host.example/other.xml" "#
                    + #"title="Sea News"/></podcast:podroll>"#,
                #"{"podroll":[{"feedGUID":"917393e3","feedURL":"https://host.example/other.xml","title":"Sea News"}]}"#
            ),
            (
                #"<podcast:updateFrequency complete="true" rrule="FREQ=WEEKLY">weekly</podcast:updateFrequency>"#,
                #"{"updateFrequencies":[{"text":"weekly","rule":"FREQ=WEEKLY","complete":true}]}"#
            ),
            (
                #"<podcast:trailer pubdate="Thu, 01 Apr 2021 08:00:00 GMT" url="https://host.example/trailer.mp3">"#
                    + #"Soon</podcast:trailer>"#,
                #"{"trailers":[{"title":"Soon","url":"https://host.example/trailer.mp3"}]}"#
            ),
            (
                #"<podcast:liveItem status="pending" start="2026-01-02T03:00:00Z" end="2026-01-02T04:00:00Z">"#
                    + #"<title>Live from the pier</title></podcast:liveItem>"#,
                #"{"liveItems":[{"title":"Live from the pier","status":"pending","#
                    + #""start":"2026-01-02T03:00:00Z","end":"2026-01-02T04:00:00Z"}]}"#
            ),
            ("<itunes:block>Yes</itunes:block>", #"{"blocked":true}"#),
            (
                "<itunes:new-feed-url>https://me:pw@host.example/new</itunes:new-feed-url>",
                #"{"newFeedURL":"https://host.example/new"}"#
            ),
        ])
    func ofShow(_ element: String, _ expected: String) throws {
        let show = try channel("<title>Harbour Tales</title>\(element)")
        #expect(DetailDocument.text(of: show) == expected)
    }

    @Test("A plain episode and a plain show have no details")
    func plain() throws {
        let item = #"<title>Fog</title><enclosure url="https://host.example/1.mp3" type="audio/mpeg"/>"#
        #expect(try DetailDocument.text(of: episode(item)) == nil)
        #expect(try DetailDocument.text(of: channel("<title>Harbour Tales</title>")) == nil)
    }
}
