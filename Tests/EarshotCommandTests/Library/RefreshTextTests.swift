// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import Testing

@testable import Subscriptions
@testable import TerminalInterface

@Suite("Output of refresh")
struct RefreshTextTests {
    private typealias News = LibraryRefresh.FeedResult
    private static let clear = "\r\u{1B}[K"

    private func news(_ outcome: News.Outcome, name: String = "Tales", newAddress: String? = nil) -> News {
        News(podcast: 7, name: name, outcome: outcome, newAddress: newAddress)
    }

    private func text(
        json: Bool = false, draws: Bool = false, quiet: Bool = false, named: Bool = false
    ) -> RefreshText {
        var text = RefreshText(json: json, draws: draws, quiet: quiet, named: named)
        text.begin(3)
        return text
    }

    @Test("New episodes are listed by title, three at most")
    func new() {
        var text = text()
        #expect(
            text.news(news(.changed(new: [3, 2], edited: 1)), titles: ["Fog", "Tide"])
                == [.output("Tales: 2 new: Fog; Tide\n")])
        #expect(
            text.news(news(.changed(new: [9, 8, 7, 6], edited: 0)), titles: ["a", "b", "c"])
                == [.output("Tales: 4 new: a; b; c; ...\n")])
        #expect(text.news(news(.changed(new: [], edited: 5)), titles: []) == [])
        #expect(text.news(news(.unchanged), titles: []) == [])
        #expect(text.finish() == [.error("6 new episodes in 2 podcasts.\n")])
        #expect(!text.hasFailed)
    }

    @Test("A failed feed is reported with its reason, and the refresh fails if every feed fails")
    func failed() {
        var text = text()
        let failure = MediaFailure(.unavailable, "connection refused")
        #expect(
            text.news(news(.failed(failure, retryAfter: nil), newAddress: "https://new.example"), titles: [])
                == [.error("Tales has moved to https://new.example\n")])
        #expect(text.news(news(.rests(until: nil)), titles: []) == [])
        #expect(text.hasFailed && text.failure == .unavailable)
        #expect(
            text.news(news(.gone), titles: []) == [
                .error("Tales: the feed no longer exists; its episodes stay in the library\n")
            ])
        #expect(text.hasFailed && text.failure == .unavailable)
        #expect(
            text.finish() == [
                .error("Tales: connection refused\n"),
                .error("No new episodes. 1 feed could not be reached. 1 feed could not be read.\n"),
            ])
        _ = text.news(news(.unchanged), titles: [])
        #expect(!text.hasFailed)
    }

    @Test("An announced address that could not be read is reported, except with --quiet")
    func unreadAddress() {
        var announcing = news(.changed(new: [1], edited: 0))
        announcing.unreadAddress = News.UnreadAddress(
            url: "https://new.example/feed", failure: MediaFailure(.missing, "the server answered 404 Not Found"))
        var text = text()
        let remark = "Tales announces a move to https://new.example/feed, but no feed could be read there: "
        #expect(
            text.news(announcing, titles: ["Fog"])
                == [.error("\(remark)the server answered 404 Not Found\n"), .output("Tales: 1 new: Fog\n")])
        var silent = self.text(quiet: true)
        #expect(silent.news(announcing, titles: []) == [])
        var json = self.text(json: true)
        let line = json.news(announcing, titles: []).output
        #expect(line.contains("\"unreadAddress\":\"https://new.example/feed\""))
        #expect(line.contains("\"kind\":\"missing\""))
    }

    @Test("A podcast that has moved to the address of another one is reported, except with --quiet")
    func takenAddress() throws {
        let stage = try LibraryStage()
        try stage.merge([], into: try stage.subscribe())
        var moved = news(.unchanged)
        moved.takenAddress = News.TakenAddress(url: "https://new.example/feed", owner: try stage.library.podcast(1))
        var text = text()
        let remark = "\"Tales\" has moved to the address of \"Harbour Tales\" (p1)"
        #expect(text.news(moved, titles: []) == [.error("\(remark): earshot unsubscribe p7\n")])
        var silent = self.text(quiet: true)
        #expect(silent.news(moved, titles: []) == [])
        var json = self.text(json: true)
        let line = json.news(moved, titles: []).output
        #expect(line.contains("\"newAddress\":\"https://new.example/feed\""))
        try stage.library.unsubscribe(1)
        moved.takenAddress = News.TakenAddress(url: "https://new.example/feed", owner: try stage.library.podcast(1))
        #expect(text.news(moved, titles: []) == [.error("\(remark), from which you unsubscribed\n")])
    }

    @Test("A refresh without due feeds does not fail")
    func nothing() {
        var text = text()
        #expect(!text.hasFailed)
        _ = text.news(news(.rests(until: nil)), titles: [])
        _ = text.news(news(.rests(until: nil)), titles: [])
        #expect(!text.hasFailed)
        #expect(text.finish() == [.error("No feeds were due.\n")])
        var new = RefreshText(json: false, draws: false, quiet: false, named: false)
        new.begin(0)
        #expect(new.finish() == [.error("No podcasts yet. Subscribe first: earshot subscribe URL\n")])
    }

    @Test("A named feed whose server refuses requests was not read")
    func rests() {
        var text = text(named: true)
        _ = text.news(news(.rests(until: nil)), titles: [])
        #expect(text.hasFailed && text.failure == .temporary)
        #expect(text.finish() == [.error("No new episodes. 1 feed could not be read.\n")])
    }

    @Test("If no feed can be reached, a single message replaces the individual ones")
    func offline() {
        var text = text()
        for name in ["A", "B", "C"] {
            let failure = MediaFailure(.unknownHost, "the host name \(name) is unknown")
            #expect(text.news(news(.failed(failure, retryAfter: nil), name: name), titles: []) == [])
        }
        #expect(
            text.finish() == [
                .error("A: the host name A is unknown\n"),
                .error("2 other feeds could not be reached either: are you offline?\n"),
                .error("No new episodes. 3 feeds could not be reached.\n"),
            ])
    }

    @Test("A missing password is reported with advice")
    func password() {
        var text = text()
        let failure = MediaFailure(.forbidden, "401 Unauthorized: it needs a password", needsPassword: true)
        let line = text.news(news(.failed(failure, retryAfter: nil)), titles: [])
        #expect(line.errors.contains("it needs a password: earshot subscribe https://NAME:PASSWORD@"))
    }

    @Test("A server that asked for a pause is reported")
    func leftAlone() {
        let quiet = news(.quiet(until: UTCTime(secondsSince1970: 1_704_100_500), for: .seconds(120)))
        var text = text()
        WallClock.$current.withValue(.utc) {
            #expect(
                text.news(quiet, titles: [])
                    == [.error("Tales: its server refuses requests until 2024-01-01 09:15\n")])
        }
        #expect(text.finish() == [.error("No feeds were due.\n")])
        var silent = self.text(quiet: true)
        #expect(silent.news(quiet, titles: []) == [])
        var json = self.text(json: true)
        guard case .output(let line)? = json.news(quiet, titles: []).first else { return #expect(Bool(false)) }
        #expect(line.contains("\"outcome\":\"resting\"") && line.contains("\"retryAfter\":120.0"))
    }

    @Test("On a terminal a progress line counts the feeds and is cleared before other output and at the end")
    func drawn() {
        var text = text(draws: true)
        #expect(text.news(news(.unchanged), titles: []) == [.error(Self.clear), .error("1 of 3 feeds")])
        #expect(
            text.news(news(.changed(new: [1], edited: 0)), titles: ["Fog"])
                == [.error(Self.clear), .output("Tales: 1 new: Fog\n"), .error("2 of 3 feeds")])
        #expect(text.finish() == [.error(Self.clear), .error("1 new episode in 1 podcast.\n")])
    }

    @Test("--quiet prints only errors")
    func quiet() {
        var text = text(draws: true, quiet: true)
        #expect(text.news(news(.changed(new: [1], edited: 0)), titles: ["Fog"]) == [])
        #expect(
            text.news(news(.failed(MediaFailure(.missing, "404"), retryAfter: nil)), titles: [])
                == [.error("Tales: 404\n")])
        #expect(text.finish() == [])
    }

    @Test("Control characters in titles do not reach the terminal")
    func hostile() {
        var text = text()
        let evil = news(.changed(new: [1], edited: 0), name: "\u{1B}[2JTales")
        for part in text.news(evil, titles: ["\u{7}Fog\n\u{9B}31m"]) {
            guard case .output(let words) = part else { continue }
            let scalars = words.dropLast().unicodeScalars
            #expect(!scalars.contains { $0.value < 32 || 127...159 ~= $0.value })
        }
    }

    @Test("A refresh is reported as JSON")
    func json() {
        var text = text(json: true)
        #expect(
            text.news(news(.failed(MediaFailure(.temporary, "busy"), retryAfter: .seconds(90))), titles: [])
                == [
                    .output(
                        """
                        {"podcast":7,"title":"Tales","outcome":"failed","new":[],"edited":0,"kind":"temporary",\
                        "reason":"busy","retryAfter":90.0,"newAddress":null,"unreadAddress":null}

                        """)
                ])
        #expect(text.finish() == [])
    }
}

@Suite("Output of subscribe and downloads")
struct SubscribeTextTests {
    private let stage: LibraryStage

    init() throws {
        stage = try LibraryStage()
        try stage.merge([.numbered(1, title: "Fog\u{1B}[2J")], into: try stage.subscribe())
    }

    @Test("The outcome of subscribing to an address is printed")
    func outcomes() throws {
        let podcast = try stage.library.podcast(1)
        #expect(SubscribeText.plain(.subscribed(podcast)) == [.output("p1  Harbour Tales  (1 episode)\n")])
        #expect(
            SubscribeText.plain(.known(podcast)) == [.error("\"Harbour Tales\" is already in the library as p1.\n")])
        #expect(SubscribeText.plain(.restored(podcast)) == [.output("p1  Harbour Tales  (restored)\n")])
        let result = Subscribing.Result(outcome: .known(podcast), feedsOfPage: ["a", "b"])
        guard case .output(let line)? = SubscribeText.json(result).first else { throw Surprise() }
        #expect(try JSONDocument(parsing: line)["podcast"]?["id"]?.number == 1)
        #expect(try JSONDocument(parsing: line)["otherFeeds"] == .array([.string("b")]))
        #expect(line.hasPrefix("{\"outcome\":\"known\",\"podcast\":{\"id\":1,"))
    }

    @Test("A new podcast whose feed was cut off is reported as incomplete")
    func cutOff() throws {
        let line = ReportText.output("p1  Harbour Tales  (1 episode)\n")
        let remark = "Only a part of the feed of \"Harbour Tales\" could be read."
        try stage.library.note([FeedFetch(podcast: 1, wasFull: false)])
        let part = SubscribeText.plain(.subscribed(try stage.library.podcast(1)))
        #expect(part == [line, .error("\(remark) \"earshot refresh\" requests all of it again.\n")])
        try stage.library.note([FeedFetch(podcast: 1)])
        let whole = SubscribeText.plain(.subscribed(try stage.library.podcast(1)))
        #expect(whole == [line])
    }

    @Test(
        "The progress of a download is printed",
        arguments: [
            (.wanted, nil, [], "pending"), (.partial, 1000, [0..<500], "50 % of 1 kB"),
            (.partial, nil, [0..<500], "500 B so far"), (.failed, nil, [], "failed (404)"),
            (.complete, 1000, [0..<1000], "on disk, 4 kB"), (.partial, 0, [], "0 B so far"),
        ] as [(Download.State, Int64?, [Range<Int64>], String)])
    func downloads(state: Download.State, total: Int64?, extents: [Range<Int64>], words: String) throws {
        try stage.library.requestDownload(1, by: .listener)
        try stage.library.noteDownload(1, state, total: total, extents: extents, failure: "404")
        let line = DownloadTable.Line(
            download: try #require(try stage.library.download(of: 1)), episode: try stage.library.episode(1),
            occupied: 4000, path: "/x/y.mp3")
        let table = DownloadTable.plain([line], ListLayout())
        #expect(table.first == .output("1  \(words)  Fog[2J  Harbour Tales\n"))
        #expect(table.last == .error("1 download, 4 kB.\n"))
        guard case .output(let json)? = DownloadTable.json([line]).first else { throw Surprise() }
        #expect(try JSONDocument(parsing: json)["path"] == (state == .complete ? .string("/x/y.mp3") : .null))
    }

    @Test(
        "In a terminal, a line of a download fits its width; a narrow one leaves out the podcast",
        arguments: [(60, "1  on disk, 4 kB  Fog[2J            Harbour Tales\n"), (24, "1  on disk, 4 kB  Fog[2J\n")])
    func widths(width: Int, row: String) throws {
        try stage.library.requestDownload(1, by: .listener)
        try stage.library.noteDownload(1, .complete, total: 1000, extents: [0..<1000])
        let line = DownloadTable.Line(
            download: try #require(try stage.library.download(of: 1)), episode: try stage.library.episode(1),
            occupied: 4000, path: "/x/y.mp3")
        #expect(DownloadTable.plain([line], ListLayout(width: width)).first == .output(row))
    }

    @Test("Without downloads a message is printed") func none() {
        #expect(DownloadTable.plain([], ListLayout()) == [.error("No downloads.\n")])
    }

    private struct Surprise: Error {}
}
