// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Subscriptions
import TerminalInterface
import Testing

@Suite("Import and export between machines")
struct LibraryCopyTests {
    private static func export(_ library: Library, withSecrets: Bool = false) throws -> [String] {
        let podcasts = try library.podcasts()
        let addresses = ExportedAddresses(podcasts, withSecrets: withSecrets)
        return try ExportText(library, addresses).lines(podcasts, at: UTCTime(secondsSince1970: LibraryStage.newYear))
    }

    @discardableResult
    private static func take(_ lines: [String], into stage: LibraryStage) throws -> SubscriptionImport.Report {
        let text = lines.map { $0 + "\n" }.joined()
        let file = try stage.directory.write(text.utf8, to: "export.jsonl")
        return try SubscriptionImport.run(file, into: stage.library)
    }

    private static let feeds = ["https://a.example/feed", "https://b.example/feed?token=s3cret", "https://c.example/f"]

    /// Fills a library with random podcasts, positions, marks, queue entries and settings.
    private static func listener(_ random: inout SeededGenerator, _ stage: LibraryStage) throws {
        let library = stage.library
        var ids: [Int64] = []
        for feed in feeds.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
            let podcast = try library.subscribe(Subscription(feedURL: feed, folder: ["Sea"])).id
            ids += try stage.merge((1...6).map { .numbered($0, guid: "\(feed.utf8.count)-\($0)") }, into: podcast).new
            if Bool.random(using: &random) { try library.set("skip-intro", to: "30s", for: podcast) }
            if Bool.random(using: &random) { try library.rename(podcast, to: "Mine \(podcast)") }
        }
        let scopes = [SmartQueue.Scope.everything, .group("Sea")] + (try library.podcasts().map { .podcast($0.id) })
        for scope in scopes.shuffled(using: &random).prefix(2) {
            _ = try library.createSmartQueue(
                "Queue of \(scope)", scope, newestFirst: Bool.random(using: &random),
                most: Int.random(in: SmartQueue.limits, using: &random))
        }
        for _ in 0..<30 {
            stage.pass(.seconds(Int.random(in: 1...100, using: &random)))
            guard let id = ids.randomElement(using: &random) else { continue }
            let place = Duration.milliseconds(Int.random(in: 1...1_700_000, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try library.mark([id], played: true)
            case 1: try library.mark([id], played: false)
            case 2: try library.enqueue([id])
            case 3: try library.addBookmark(id, at: place, title: Bool.random(using: &random) ? "雨 \"here\"" : nil)
            case 4: try library.finish(id, heard: .zero..<place)
            case 5: try library.set("keep-newest", to: "\(Int.random(in: 1...9, using: &random))")
            case 6: try library.shiftTranscript(of: id, by: place - .seconds(800))
            case 7:
                let day = ListeningDay(Int64.random(in: 20_000...20_003, using: &random))
                let time = ListeningTime(heard: place, wall: place / 2, trimmed: place / 10)
                try library.savePlayback(
                    [], listened: [ListeningRecord(episode: id, day: day, time: time)], waiting: 1)
            default:
                try library.save(
                    PlaybackPosition(position: place, duration: .seconds(1800), version: "v", heard: .zero..<place),
                    of: id, .act)
            }
        }
    }

    @Test("An exported and imported library is exported identically", arguments: 1...6 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (here, there) = (try LibraryStage(), try LibraryStage())
        try Self.listener(&random, here)
        let lines = try Self.export(here.library, withSecrets: true)
        #expect(try Self.take(lines, into: there).hasChanged)
        #expect(try Set(Self.export(there.library, withSecrets: true)) == Set(lines))
        // A second import changes nothing.
        let before = try Self.export(there.library)
        let again = try Self.take(lines, into: there)
        #expect(again.restored?.isEmpty == true && !again.hasChanged)
        #expect(try Self.export(there.library) == before)
        #expect(try there.library.acts(limit: 9).count { !$0.isUndone } == 1)
        _ = try there.library.undo()
        #expect(try there.library.podcasts().isEmpty && there.library.queue().isEmpty)
        #expect(try there.library.bookmarks().isEmpty && there.library.settings().isEmpty)
        #expect(try there.library.smartQueues().isEmpty)
    }

    @Test(
        "Two machines that exchange exports end with the same positions and marks",
        arguments: 1...6 as ClosedRange<UInt64>)
    func exchange(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (here, there) = (try LibraryStage(), try LibraryStage())
        try Self.listener(&random, here)
        there.pass(.seconds(37))
        try Self.listener(&random, there)
        try Self.take(try Self.export(here.library, withSecrets: true), into: there)
        try Self.take(try Self.export(there.library, withSecrets: true), into: here)
        #expect(try Self.marks(here.library) == Self.marks(there.library))
        #expect(try Self.waiting(here.library) == Self.waiting(there.library))
        #expect(try here.library.bookmarks().count == there.library.bookmarks().count)
    }

    /// Returns the GUIDs of queued episodes that are not played: the other machine may have played the others.
    private static func waiting(_ library: Library) throws -> Set<String> {
        try Set(library.queue().filter { $0.progress != .played }.map(\.guid))
    }

    private static func marks(_ library: Library) throws -> Set<String> {
        var marks: Set<String> = []
        for id in try library.touchedEpisodes() {
            let episode = try library.episode(id)
            marks.insert("\(episode.guid) \(episode.progress) \(episode.position) \(episode.finishedAt as Any)")
        }
        return marks
    }

    @Test("Of a day that both machines have, the longer listening time counts, and a second import adds nothing")
    func listening() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for (stage, days) in [(here, [(1, 60), (2, 50)]), (there, [(2, 40), (3, 30)])] {
            try stage.merge([.numbered(1)], into: try stage.subscribe())
            for (day, seconds) in days {
                let time = ListeningTime(heard: .seconds(seconds), wall: .seconds(seconds), trimmed: .zero)
                let record = ListeningRecord(episode: 1, day: ListeningDay(20_000 + Int64(day)), time: time)
                try stage.library.savePlayback([], listened: [record], waiting: 1)
            }
        }
        let report = try Self.take(Self.export(here.library), into: there)
        #expect(report.restored?.listeningDays == 2)
        #expect(
            try there.library.listeningDays(of: 1).map(\.day.description) == ["2024-10-05", "2024-10-06", "2024-10-07"])
        #expect(try there.library.listeningSums().total.heard == 140_000_000)
        #expect(try Self.take(Self.export(here.library), into: there).restored?.isEmpty == true)
    }

    @Test("An import takes the shift of a transcript, and a shift made here stays")
    func shifts() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for stage in [here, there] { try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe()) }
        try here.library.shiftTranscript(of: 1, by: .milliseconds(-2500))
        try here.library.shiftTranscript(of: 1, by: .seconds(60), from: .seconds(750))
        try here.library.shiftTranscript(of: 2, by: .seconds(9))
        try there.library.shiftTranscript(of: 2, by: .seconds(4))
        let report = try Self.take(Self.export(here.library), into: there)
        #expect(report.restored?.transcriptShifts == 1)
        #expect(try there.library.transcriptShifts(of: 1) == here.library.transcriptShifts(of: 1))
        #expect(try there.library.transcriptShifts(of: 2).first == .seconds(4))
    }

    @Test("An import adds smart queues with new names and the same podcasts")
    func smartQueues() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for feed in Self.feeds { _ = try there.library.subscribe(Subscription(feedURL: feed)) }
        for feed in Self.feeds.reversed() { _ = try here.library.subscribe(Subscription(feedURL: feed)) }
        let first = try #require(try here.library.podcasts().first { $0.feedURL == Self.feeds[0] })
        let gone = try #require(try here.library.podcasts().first { $0.feedURL == Self.feeds[2] })
        _ = try here.library.createSmartQueue("News", .podcast(first.id), newestFirst: true, most: 5)
        _ = try here.library.createSmartQueue("Gone", .podcast(gone.id), newestFirst: true, most: 5)
        _ = try here.library.createSmartQueue("Mine", .everything, newestFirst: true, most: 5)
        _ = try there.library.createSmartQueue("mine", .everything, newestFirst: false, most: 9)
        try here.library.unsubscribe(gone.id)
        let report = try Self.take(Self.export(here.library, withSecrets: true), into: there)
        #expect(report.restored?.smartQueues == 1)
        #expect(try there.library.smartQueues().map(\.name) == ["mine", "News"])
        let news = try there.library.smartQueue(named: "news")
        let target = try there.library.podcasts().first { $0.feedURL == Self.feeds[0] }
        #expect(news.scope == target.map { .podcast($0.id) } && target?.id != first.id)
        #expect(try there.library.smartQueue(named: "Mine").most == 9)
    }

    @Test("The later position or mark of an episode wins, regardless of the machine")
    func laterWins() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for stage in [here, there] { try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe()) }
        try here.library.save(.init(position: .seconds(100)), of: 1, .act)
        try here.library.mark([2], played: true)
        let early = try Self.export(here.library)
        there.pass(.seconds(60))
        try there.library.save(.init(position: .seconds(200)), of: 1, .act)
        try there.library.mark([2], played: true)
        there.pass(.seconds(60))
        try there.library.mark([2], played: false)
        #expect(try Self.take(early, into: there).restored?.isEmpty == true)
        #expect(try there.library.episode(1).position == .seconds(200))
        #expect(try there.library.episode(2).progress == .unplayed)
        try Self.take(try Self.export(there.library), into: here)
        #expect(try here.library.episode(1).position == .seconds(200))
        #expect(try here.library.episode(2).progress == .unplayed)
    }

    @Test(
        "Imported state applies to an episode that the feed contains later, and is kept for one that it never contains")
    func feedLater() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        try here.merge([.numbered(3), .numbered(2), .numbered(1)], into: try here.subscribe())
        try here.library.save(.init(position: .seconds(30)), of: 1, .act)
        try here.library.save(.init(position: .seconds(40)), of: 2, .act)
        try here.library.enqueue([3, 1])
        try Self.take(try Self.export(here.library), into: there)
        let podcast = try #require(try there.library.podcasts().first).id
        let report = try there.merge([.numbered(3), .numbered(2), .numbered(4)], into: podcast)
        #expect(report.new.count == 1)
        let episodes = try there.library.episodes(EpisodeFilter(podcast: podcast), limit: 9).episodes
        #expect(Set(episodes.map(\.guid)) == ["g1", "g2", "g3", "g4"])
        #expect(episodes.first { $0.guid == "g2" }?.position == .seconds(40))
        #expect(episodes.first { $0.guid == "g2" }?.enclosureLength == 1_000_000)
        #expect(episodes.first { $0.guid == "g1" }?.position == .seconds(30))
        #expect(try there.library.queue().map(\.guid) == ["g3", "g1"])
    }

    @Test("An episode that the other machine has played leaves the queue")
    func playedThere() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for stage in [here, there] { try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe()) }
        try here.library.mark([1], played: true)
        try there.library.enqueue([1, 2])
        try Self.take(Self.export(here.library), into: there)
        #expect(try there.library.queue().map(\.id) == [2])
        _ = try there.library.undo()
        #expect(try there.library.queue().map(\.id) == [1, 2])
    }

    @Test("An episode that was finished here after the export is not queued again")
    func heardSince() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        try here.merge([.numbered(2), .numbered(1)], into: try here.subscribe())
        try here.library.enqueue([1, 2])
        let lines = try Self.export(here.library)
        try Self.take(lines, into: there)
        let first = try #require(try there.library.queue().first)
        there.pass(.seconds(10))
        try there.library.finish(first.id, heard: nil)
        try Self.take(lines, into: there)
        #expect(try there.library.queue().count == 1)
    }

    @Test(
        "A truncated or invalid file fails with one message that names the line, and changes nothing",
        arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8])
    func broken(kind: Int) throws {
        let here = try LibraryStage()
        try here.merge([.numbered(2), .numbered(1)], into: try here.subscribe())
        try here.library.mark([1, 2], played: true)
        var lines = try Self.export(here.library)
        let expected: String
        switch kind {
        case 0: (lines[3], expected) = (String(lines[3].dropLast(9)), "line 4: not JSON")
        case 1: (lines, expected) = (lines.dropLast(), "the file ends after line 3: 1 line is missing")
        case 2: (lines[2], expected) = ("{}", "line 3: \"kind\" is missing")
        case 3: (lines, expected) = (["{\"items\":[]}"], "line 1: \"kind\" is missing")
        case 4:
            lines.removeFirst()
            expected = "line 1: not the first line of an export by earshot"
        case 5:
            lines[2] = lines[2].replacing("\"position\":0.0", with: "\"position\":\"x\"")
            expected = "line 3: \"position\" has a value of the wrong kind"
        case 6:
            lines[0] = lines[0].replacing("\"episodes\":2", with: "\"episodes\":\(Int.max)")
            expected = "line 1: \"episodes\": \(Int.max) is out of range"
        case 7:
            lines[0] = lines[0].replacing("\"podcasts\":1", with: "\"podcasts\":\(Int.min)")
            expected = "line 1: \"podcasts\": \(Int.min) is out of range"
        default:
            lines[1] = lines[1].replacing("https://", with: "gopher://")
            expected = "line 2: "
        }
        let there = try LibraryStage()
        let error = #expect(throws: (any Error).self) { try Self.take(lines, into: there) }
        #expect((error as? MediaFailure)?.reason.contains(expected) == true, "\(error as Any)")
        #expect(try there.library.podcasts().isEmpty && there.library.acts(limit: 1).isEmpty)
    }

    @Test(
        "Tokens of private feeds are exported only on request; the rest of the address identifies the podcast")
    func secrets() throws {
        let (here, there) = (try LibraryStage(), try LibraryStage())
        for token in ["n0tForYou", "n0rThis"] {
            let podcast = try here.subscribe("https://p.example/rss?show=1&token=\(token)")
            let url = "https://p.example/1.mp3?auth=\(token)"
            try here.merge([.numbered(1, guid: url, title: token == "n0rThis" ? "B" : "A", url: url)], into: podcast)
        }
        try here.library.mark([1], played: true)
        try here.library.enqueue([2])
        let lines = try Self.export(here.library)
        #expect(!lines.joined().contains("n0"))
        #expect(try Self.export(here.library, withSecrets: true).joined().contains("n0tForYou"))
        let report = try Self.take(lines, into: there)
        #expect(report.lines.map(\.need) == [.privateAddress, .privateAddress])
        #expect(try there.library.queue().map(\.name) == ["B"])
        // The complete address identifies the same podcast.
        let whole = Subscription(feedURL: "https://p.example/rss?show=1&token=n0tForYou")
        let outcome = try there.library.subscribe(whole)
        #expect(outcome == .known(1))
        try there.merge(
            [.numbered(1, guid: "https://p.example/1.mp3?auth=n0tForYou", title: "A")], into: outcome.id)
        #expect(try there.library.episodes(EpisodeFilter(podcast: 1), limit: 9).episodes.map(\.progress) == [.played])
    }
}
