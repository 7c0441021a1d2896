// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Subscriptions
import TerminalInterface
import Testing

@Suite("Export and import of merged episodes")
struct CopiedMergeTests {
    private static let document = [ParsedEpisode.numbered(3), .numbered(2), .numbered(1)]

    private static func export(_ stage: LibraryStage, withSecrets: Bool = false) throws -> [String] {
        let podcasts = try stage.library.podcasts()
        let addresses = ExportedAddresses(podcasts, withSecrets: withSecrets)
        return try ExportText(stage.library, addresses).lines(
            podcasts, at: UTCTime(secondsSince1970: LibraryStage.newYear))
    }

    private static func take(_ lines: [String], into stage: LibraryStage) throws -> Library.RestoreResult? {
        let file = try stage.directory.write(lines.map { $0 + "\n" }.joined().utf8, to: "export.jsonl")
        return try SubscriptionImport.run(file, into: stage.library).restored
    }

    /// Returns a library in which the listener has merged episode 3 into episode 2.
    private static func merged(_ subscription: Subscription) throws -> LibraryStage {
        let stage = try LibraryStage()
        try stage.merge(document, into: try stage.library.subscribe(subscription).id)
        try stage.library.merge(3, into: 2)
        return stage
    }

    private static let subscription = Subscription(feedURL: "https://host.example/feed.xml")

    @Test("A new library, and one that imports its export, add no episode again that was merged")
    func newLibrary() throws {
        let (here, there, third) = (try Self.merged(Self.subscription), try LibraryStage(), try LibraryStage())
        for (from, into) in [(here, there), (there, third)] {
            #expect(try Self.take(Self.export(from), into: into)?.merges == 1)
            try into.merge(Self.document, into: 1)
            #expect(try into.titles() == ["Episode 2", "Episode 1"])
        }
        #expect(try Self.take(Self.export(here), into: third)?.isEmpty == true)
    }

    @Test("An import merges the same episodes in a library that has the feed; undo separates them")
    func knownFeed() throws {
        let (here, there) = (try Self.merged(Self.subscription), try LibraryStage())
        try there.merge(Self.document, into: try there.subscribe())
        try there.library.save(.init(position: .seconds(7)), of: 3, .act)
        #expect(try Self.take(Self.export(here), into: there)?.merges == 1)
        #expect(try there.titles() == ["Episode 2", "Episode 1"])
        #expect(try there.library.episode(2).position == .seconds(7))
        #expect(try Self.take(Self.export(here), into: there)?.isEmpty == true)
        try there.library.undo()
        #expect(try there.titles() == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(try there.library.episode(3).position == .seconds(7))
    }

    @Test("An episode that was split again is not exported as merged")
    func split() throws {
        let stage = try Self.merged(Self.subscription)
        #expect(try Self.export(stage).count == 3)
        #expect(try stage.library.split(2) == 2)
        #expect(try Self.export(stage).count == 2)
        // A process that plays the episode still has its number.
        #expect(try stage.library.current(3) == 2)
        try stage.merge([.numbered(3), .numbered(2, guid: "changed"), .numbered(1)], into: 1)
        #expect(try stage.titles() == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(try Self.export(stage).count == 2)
    }

    @Test("The digests of a private feed, from which tokens can be computed, are exported only on request")
    func privateFeed() throws {
        let login = Login(user: "me", password: "hunter2")
        let stage = try Self.merged(Subscription(feedURL: "https://host.example/feed.xml", login: login))
        let empty = "\"mergedGUIDs\":[],\"mergedEnclosures\":[]"
        #expect(try Self.export(stage).last?.contains(empty) == true)
        #expect(try Self.export(stage, withSecrets: true).last?.contains(empty) == false)
    }
}
