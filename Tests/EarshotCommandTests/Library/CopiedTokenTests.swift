// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Subscriptions
import TerminalInterface
import Testing

@Suite("Import of feeds that differ only in their tokens")
struct CopiedTokenTests {
    private static func export(_ library: Library) throws -> [String] {
        let podcasts = try library.podcasts()
        let addresses = ExportedAddresses(podcasts, withSecrets: false)
        return try ExportText(library, addresses).lines(podcasts, at: UTCTime(secondsSince1970: LibraryStage.newYear))
    }

    @discardableResult
    private static func take(_ lines: [String], into stage: LibraryStage) throws -> SubscriptionImport.Report {
        let file = try stage.directory.write(lines.map { $0 + "\n" }.joined().utf8, to: "export.jsonl")
        return try SubscriptionImport.run(file, into: stage.library)
    }

    /// Subscribes to feeds whose addresses differ only in their tokens, and marks the first episode of each.
    private static func subscribe(_ stage: LibraryStage, _ titles: [String]) throws {
        for (number, title) in titles.enumerated() {
            let podcast = try stage.subscribe("https://p.example/rss?token=n0tForYou\(number)")
            let new = try stage.merge(
                [.numbered(1, guid: "\(number)")], into: podcast, feed: .titled(title)
            ).new
            try stage.library.save(.init(position: .seconds(10 + number)), of: new[0], .act)
            stage.pass(.seconds(60))
        }
    }

    @Test(
        "The own export merges with feeds that differ only in their tokens",
        arguments: [["One", "Two", "Three"], ["Same", "Same", "Same"]])
    func ownTokens(titles: [String]) throws {
        let here = try LibraryStage()
        try Self.subscribe(here, titles)
        let lines = try Self.export(here.library)
        #expect(try Self.take(lines, into: here).restored?.isEmpty == true)
        #expect(try here.library.podcasts().count == titles.count)
        #expect(try Self.export(here.library) == lines)
        // The order of the podcasts does not matter.
        try Self.take([lines[0]] + lines[1...3].reversed() + lines[4...], into: here)
        #expect(try Self.export(here.library) == lines)
    }

    @Test("The import and the refresh show a private feed without a title by its address without tokens")
    func untitled() throws {
        let stage = try LibraryStage()
        let url = "https://me:pw@p.example/priv/n0tForYou123456789/feed.xml"
        let list = "<opml version='2.0'><body><outline text='' xmlUrl='\(url)'/></body></opml>"
        let report = try Self.take([list], into: stage)
        let shown = ["https://p.example/priv/***/feed.xml"]
        #expect(report.lines.map(\.name) == shown)
        #expect(try stage.library.podcasts().map(\.name) == shown)
        #expect(try stage.library.feeds().map(\.name) == shown)
    }

    @Test("A feed that differs from another show's only in its token is not taken for it")
    func otherToken() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        try Self.subscribe(here, ["One", "Two"])
        try Self.subscribe(there, ["Two"])
        try Self.take(Self.export(here.library), into: there)
        #expect(try there.library.podcasts().map(\.title) == ["One", "Two"])
        #expect(try there.library.touchedEpisodes().count == 2)
        // A subscription to the remaining address completes it.
        let address = "https://p.example/rss?token=n0tForYou9"
        #expect(try there.library.subscribe(Subscription(feedURL: address)) == .known(2))
        #expect(try there.library.podcast(2).feedURL == address)
    }
}
