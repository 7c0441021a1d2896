// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media
import Subscriptions
import Testing

@Suite("Fetching transcripts")
struct TranscriptFetchTests {
    private static let captions = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Mary>The storm.\n".utf8)
    private static let good = ScriptedTransport.serve(captions, type: "text/vtt")

    private let stage: LibraryStage
    private let podcast: Int64

    init() throws {
        stage = try LibraryStage()
        podcast = try stage.subscribe()
        try merge([.init(url: "https://host.example/a.vtt", type: "text/vtt")])
    }

    /// Gives the first episode these links.
    private func merge(_ links: [ParsedTranscript], language: String? = nil) throws {
        var episode = ParsedEpisode.numbered(1)
        episode.transcripts = links
        var feed = ParsedFeed.titled("Harbour Tales")
        feed.language = language
        try stage.merge([.numbered(2), episode], into: podcast, feed: feed)
    }

    private func transcripts(_ transport: ScriptedTransport) -> LibraryTranscripts {
        LibraryTranscripts(stage.library, transport: transport)
    }

    private func failure(_ answers: ScriptedTransport.Answer...) async -> MediaFailure? {
        await #expect(throws: MediaFailure.self) { try await transcripts(ScriptedTransport(answers)).fetch(1) }
    }

    @Test("A transcript is fetched once, stored, and found by a search")
    func once() async throws {
        let transport = ScriptedTransport([Self.good])
        for _ in 0..<2 {
            let stored = try await transcripts(transport).transcript(of: 1)
            #expect(stored.cues.map(\.text) == ["The storm."] && stored.cues.map(\.speaker) == ["Mary"])
        }
        #expect(transport.requests.map(\.url) == ["https://host.example/a.vtt"])
        #expect(try stage.library.searchTranscripts("storm", limit: 9).map(\.episode.id) == [1])
    }

    @Test("The request of a public feed may not reach a private network, and its size is limited")
    func request() async throws {
        try stage.library.keep(Login(user: "me", password: "pw"), for: podcast)
        let transport = ScriptedTransport([Self.good, Self.good])
        _ = try await transcripts(transport).fetch(1)
        try stage.library.note([FeedFetch(podcast: podcast, isPublic: false)])
        _ = try await transcripts(transport).fetch(1)
        #expect(transport.requests.map(\.addressScope) == [.publicOnly(), .any])
        let request = try #require(transport.requests.first)
        #expect(request.longestBody == 8 << 20 && request.accept == .compressed)
        #expect(request.namedBy == "https://host.example/feed.xml" && request.credentials?.user == "me")
    }

    @Test("The language of the feed and then the format decide, and the next link replaces a missing document")
    func choice() async throws {
        let links = [
            ParsedTranscript(url: "https://host.example/de.vtt", type: "text/vtt", language: "de"),
            ParsedTranscript(url: "https://host.example/en.html", type: "text/html", language: "en"),
            ParsedTranscript(url: "https://host.example/en.srt", type: "application/srt", language: "en"),
            ParsedTranscript(url: "https://host.example/en.pdf", type: "application/pdf", language: "en"),
        ]
        try merge(links, language: "en")
        let transport = ScriptedTransport([ScriptedTransport.status(404), ScriptedTransport.status(404), Self.good])
        let stored = try await transcripts(transport).fetch(1)
        #expect(transport.requests.map(\.url) == [links[2], links[1], links[0]].map(\.url))
        #expect(stored.url == links[0].url && stored.language == "de")
    }

    @Test("A failure has the reason of the best link, and the stored transcript stays")
    func failures() async throws {
        _ = try await transcripts(ScriptedTransport([Self.good])).fetch(1)
        let page = Array("<!DOCTYPE html><html><title>Sign in</title><p>Welcome</p></html>".utf8)
        let cases: [(ScriptedTransport.Answer, MediaFailure.Kind, String)] = [
            (ScriptedTransport.status(404), .missing, "404"), (ScriptedTransport.status(403), .forbidden, "403"),
            (ScriptedTransport.status(500), .unavailable, "500"),
            (ScriptedTransport.serve(page, type: "text/html"), .badData, "not a transcript"),
            (ScriptedTransport.serve([], type: "text/vtt"), .badData, "empty"),
            (ScriptedTransport.status(206, ["content-range": "bytes 0-1/9"]), .badProtocol, "only part"),
            (ScriptedTransport.serve(Self.captions, cut: 9), .unavailable, ""),
        ]
        for (answer, kind, words) in cases {
            let failure = await failure(answer)
            #expect(failure?.kind == kind && failure?.reason.contains(words) == true, "\(failure?.reason ?? "none")")
        }
        #expect(try stage.library.transcript(of: 1)?.cues.count == 1)
    }

    @Test("An episode without a readable link is missing its transcript, without any request")
    func none() async throws {
        let transport = ScriptedTransport([])
        let missing = await #expect(throws: MediaFailure.self) { try await transcripts(transport).fetch(2) }
        #expect(missing == MediaFailure(.missing, "its feed lists no transcript"))
        try merge([.init(url: "https://host.example/a.pdf", type: "application/pdf")])
        let unreadable = await #expect(throws: MediaFailure.self) { try await transcripts(transport).fetch(1) }
        #expect(unreadable?.kind == .missing && unreadable?.reason.contains("formats") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "The setting decides on which occasion a transcript is fetched",
        arguments: [
            (nil, LibraryTranscripts.Occasion.downloaded, 1), (nil, .found, 0), ("off", .downloaded, 0),
            ("off", .found, 0), ("new", .downloaded, 1), ("new", .found, 1), ("downloaded", .found, 0),
        ] as [(String?, LibraryTranscripts.Occasion, Int)])
    func rule(value: String?, occasion: LibraryTranscripts.Occasion, requests: Int) async throws {
        if let value {
            let setting = try SettingValue(parsing: value, for: .transcripts)
            try stage.library.set(.transcripts, to: setting, for: podcast)
        }
        let transport = ScriptedTransport([Self.good, Self.good])
        let transcripts = transcripts(transport)
        // The second time it is stored; the other episode has none.
        for episode: Int64 in [1, 1, 2] { try await transcripts.fetchByRule(episode, on: occasion) }
        #expect(transport.requests.count == requests)
        #expect(try await transcripts.wantingNew(among: [podcast]) == (value == "new" ? [podcast] : []))
    }

    @Test("A cancelled fetch ends, and stores nothing")
    func cancelled() async throws {
        let transport = ScriptedTransport([{ _ in [.hold] }])
        let transcripts = transcripts(transport)
        let fetch = Task { try await transcripts.fetch(1) }
        while transport.requests.isEmpty { await Task.yield() }
        fetch.cancel()
        await #expect(throws: MediaFailure.self) { try await fetch.value }
        #expect(try await transcripts.stored(1) == nil)
    }
}
