// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Feeds
import Media
import ProgressiveDownload
import Testing

@Suite("LibraryRules")
struct LibraryRulesTests {
    private let stage: RuleStage
    private var library: Library { stage.library }
    private var rules: LibraryRules { stage.rules }

    /// Creates two podcasts; the first has the episodes 1 to 4 of 10 to 40 minutes, the second has episode 5.
    init() throws {
        stage = try RuleStage()
        try stage.base.merge(
            (1...4).reversed().map { .numbered($0, title: "News \($0)", minutes: 10 * $0) },
            into: try stage.base.subscribe("https://host.example/a.xml"))
        try stage.base.merge(
            [.numbered(5, guid: "other")], into: try stage.base.subscribe("https://host.example/b.xml"),
            feed: .titled("Sea"))
    }

    private func complete(_ episodes: [Int64], by reason: Download.Reason = .rule) throws {
        for episode in episodes {
            try library.requestDownload(episode, by: reason)
            try library.noteDownload(episode, .complete, total: 1_000_000, extents: [0..<1_000_000])
        }
    }

    @Test("Without settings the rules request and remove no downloads")
    func standard() throws {
        #expect(try rules.requestNew() == [] && rules.removeOld() == LibraryRules.CleanupReport())
    }

    @Test(
        "Of the newest two episodes, those that match the settings are requested",
        arguments: [
            (SettingKey.autoDownload, "2", [3, 4, 5]), (.autoDownloadWords, "sea", []),
            (.autoDownloadWords, "-4", [3, 5]), (.autoDownloadShortest, "35m", [4]),
            (.autoDownloadLongest, "30m", [3, 5]), (.autoDownloadCap, "2MB", [4, 5]), (.autoDownloadCap, "1B", []),
        ] as [(SettingKey, String, [Int64])])
    func settings(key: SettingKey, text: String, wanted: [Int64]) throws {
        try stage.set(.autoDownload, "2")
        try stage.set(key, text)
        #expect(try rules.requestNew().sorted() == wanted)
        #expect(try library.downloads().map(\.episode).sorted() == wanted)
        #expect(try library.downloads().allSatisfy { $0.requestedBy == .rule })
    }

    @Test("A podcast can have its own setting, and an unsubscribed podcast is ignored")
    func own() throws {
        try stage.set(.autoDownload, "2", for: 1)
        #expect(try rules.requestNew().sorted() == [3, 4])
        try library.unsubscribe(1)
        try stage.set(.autoDownload, "1")
        #expect(try rules.requestNew().contains(5))
    }

    @Test("An episode that keep-total would remove after its download is not requested, and a due one waits")
    func tooMuch() throws {
        try keep([1], by: .listener)
        try stage.set(.autoDownload, "3", for: 1)
        try stage.set(.keepTotal, "2.1MB")
        for _ in 0..<2 { #expect(try rules.requestNew() == [4, 3]) }
        #expect(try rules.refusal(of: library.episode(2)) == .keepTotal)
        try keep([5], by: .listener)
        #expect(try rules.requestNew() == [4])
        try stage.set(.keepTotal, "4MB")
        #expect(try rules.requestNew() == [4, 3, 2])
    }

    @Test("A new episode takes the place of an older automatic download, but not that of a newer one")
    func displaced() throws {
        try keep([3])
        try stage.set(.autoDownload, "3", for: 1)
        try stage.set(.keepTotal, "1.05MB")
        #expect(try rules.requestNew() == [4])
        #expect(try library.downloads().map(\.episode) == [3, 4])
    }

    @Test("No more episodes are requested than keep-newest keeps, and those that are queued")
    func newestOnly() throws {
        try stage.set(.autoDownload, "4", for: 1)
        try stage.set(.keepNewest, "2")
        try library.enqueue([1])
        #expect(try rules.requestNew() == [1, 4, 3])
        #expect(try rules.refusal(of: library.episode(2)) == .keepNewest)
    }

    @Test("A queued episode uses the space that keep-total allows before newer ones")
    func queuedFirst() throws {
        try stage.set(.autoDownload, "4", for: 1)
        try stage.set(.keepTotal, "1.5MB")
        try library.enqueue([1])
        #expect(try rules.requestNew() == [1])
        #expect(try rules.refusal(of: library.episode(4)) == .keepTotal)
    }

    @Test("The refusal of an episode counts the new episodes before it, and no refused ones")
    func refusals() throws {
        try stage.set(.autoDownload, "4", for: 1)
        try stage.set(.keepNewest, "2")
        #expect(try rules.refusal(of: library.episode(2)) == .keepNewest)
        #expect(try rules.requestNew() == [4, 3])
        #expect(try rules.refusal(of: library.episode(3)) == nil)
        try stage.set(.keepNewest, "1")
        #expect(try rules.refusal(of: library.episode(3)) == .keepNewest)
    }

    @Test("Extreme lengths in a feed do not trap")
    func hostile() throws {
        let episodes = (1...4).map { number in
            var episode = ParsedEpisode.numbered(number)
            episode.enclosures = [ParsedEnclosure(url: "https://host.example/\(number)", type: nil, length: .max)]
            return episode
        }
        try stage.base.merge(episodes, into: 1)
        try stage.set(.autoDownload, "9")
        #expect(try rules.requestNew().count == 5)
    }

    @Test("Played and removed episodes are not requested; a pending one is requested for a week")
    func again() throws {
        try stage.set(.autoDownload, "3", for: 1)
        try library.mark([4], played: true)
        try complete([3])
        try library.removeDownloads([3])
        #expect(try rules.requestNew() == [2])
        stage.base.pass(.seconds(7 * 86_400))
        #expect(try rules.requestNew() == [])
    }

    @Test("A failed download is retried after an hour, then after two; a request by the user is not delayed")
    func failed() throws {
        try stage.set(.autoDownload, "1", for: 1)
        #expect(try rules.requestNew() == [4])
        for hours: Int64 in [1, 1, 2] {
            try library.noteDownload(4, .failed, total: nil, extents: [], failure: "404")
            stage.base.pass(.seconds(hours * 3600 - 1))
            #expect(try rules.requestNew() == [])
            #expect(try stage.downloads.pending().map { $0.libraryEntry?.episode } == [4])
            stage.base.pass(.seconds(1))
            #expect(try rules.requestNew() == [4])
        }
    }

    @Test("An episode that waits for its retry keeps its place among the newest")
    func waiting() throws {
        try stage.set(.autoDownload, "2", for: 1)
        try stage.set(.keepNewest, "1")
        #expect(try rules.requestNew() == [4])
        try library.noteDownload(4, .failed, total: nil, extents: [], failure: "404")
        stage.base.pass(.seconds(1800))
        #expect(try rules.requestNew() == [])
        #expect(try rules.refusal(of: library.episode(3)) == .keepNewest)
    }

    @Test("Downloads beyond the limit move to the trash in one undoable action")
    func old() throws {
        try complete([1, 2, 3, 4, 5])
        try stage.set(.keepNewest, "2")
        #expect(try rules.removeOld().removals.map(\.episode) == [2, 1])
        #expect(try library.downloads().map(\.episode) == [3, 4, 5])
        #expect(try rules.removeOld().removals == [])
        #expect(try library.undo().subject == "2 episodes (by a rule)")
        #expect(try library.downloads().count == 5)
        #expect(try rules.removeOld().removals == [])
    }

    @Test("keep-newest keeps the first episodes of the list, also beside one without a date and one of the future")
    func sortedAsListed() throws {
        let dated = (1...4).reversed().map { ParsedEpisode.numbered($0, title: "News \($0)", minutes: 10 * $0) }
        var (undated, future) = (ParsedEpisode.numbered(6), ParsedEpisode.numbered(7))
        undated.published = nil
        future.published = UTCTime(secondsSince1970: 4_000_000_000)
        try stage.base.merge(dated + [future], into: 1)
        stage.base.pass(.seconds(60))
        try stage.base.merge(dated + [future, undated], into: 1)
        stage.base.pass(.seconds(60))
        future.title = "Changed"
        try stage.base.merge(dated + [future, undated], into: 1)
        #expect(try stage.base.titles(of: 1).prefix(3) == ["Episode 6", "Changed", "News 4"])
        try complete([4, 6, 7])
        try stage.set(.keepNewest, "1")
        #expect(try rules.removeOld().removals.map(\.episode) == [6, 4])
    }

    @Test(
        "A download that was requested, queued, started or bookmarked by the user is kept",
        arguments: ["wanted", "queued", "begun", "bookmarked"])
    func kept(why: String) throws {
        try complete([1], by: why == "wanted" ? .listener : .rule)
        try complete([2, 3])
        switch why {
        case "queued": try library.enqueue([1])
        case "begun": try library.save(PlaybackPosition(position: .seconds(5)), of: 1, .act)
        case "bookmarked": _ = try library.addBookmark(1, at: .seconds(5))
        default: break
        }
        try stage.set(.keepNewest, "1")
        #expect(try rules.removeOld().removals.map(\.episode) == [2])
    }

    @Test("keep-days counts from the end of playback")
    func days() throws {
        try complete([1, 2])
        try library.finish(1, heard: nil)
        try stage.set(.keepDays, "3")
        stage.base.pass(.seconds(3 * 86_400 - 1))
        #expect(try rules.removeOld().removals == [])
        stage.base.pass(.seconds(1))
        #expect(try rules.removeOld().removals.map(\.episode) == [1])
    }

    /// Completes downloads and stores a file of 64 KiB for each.
    private func keep(_ episodes: [Int64], by reason: Download.Reason = .rule) throws {
        try complete(episodes, by: reason)
        for episode in episodes { try stage.store(episode) }
    }

    @Test("keep-total deletes the oldest files in the trash first, then automatic downloads")
    func total() throws {
        try keep([1, 2, 3, 4])
        try stage.downloads.remove([1])
        stage.base.pass(.seconds(60))
        try stage.downloads.remove([2])
        try stage.set(.keepTotal, "192KiB")
        var tidying = try rules.removeOld()
        #expect(tidying.removals.isEmpty && tidying.freed == 65_536)
        #expect(stage.stored == 2 && stage.trashed == 1)
        #expect(try library.removedDownloads().map(\.state) == [.wanted, .complete])
        try stage.set(.keepTotal, "64KiB")
        tidying = try rules.removeOld()
        #expect(tidying.removals == [.init(episode: 3, because: .keepTotal)])
        #expect(tidying.freed == 2 * 65_536 && tidying.trashed == 0)
        #expect(stage.stored == 1 && stage.trashed == 0)
        #expect(try stage.downloads.undo().lostFiles == ["News 3"])
    }

    @Test("keep-total never deletes downloads that the user requested")
    func totalOfListener() throws {
        try keep([1, 2], by: .listener)
        try keep([3])
        try stage.set(.keepTotal, "1B")
        #expect(try rules.removeOld().removals.map(\.episode) == [3])
        #expect(stage.stored == 2 && stage.trashed == 0)
    }

    @Test("The limits count downloads that were found on the disk from the next refresh on")
    func found() throws {
        try keep([1, 2])
        try stage.downloads.remove([1])
        try keep([3], by: .listener)
        try stage.set(.keepTotal, "128KiB")
        #expect(try rules.removeOld(besides: [3]) == LibraryRules.CleanupReport())
        #expect(stage.stored == 2 && stage.trashed == 1)
        let tidying = try rules.removeOld()
        #expect(tidying.removals == [] && tidying.freed == 65_536)
    }

    @Test("Without keep-total the removed downloads stay in the trash")
    func trash() throws {
        try keep([1, 2])
        try stage.set(.keepNewest, "1")
        let tidying = try rules.removeOld()
        #expect(tidying.removals.map(\.episode) == [1] && tidying.trashed == 65_536 && tidying.freed == 0)
        #expect(stage.stored == 1 && stage.trashed == 1)
    }
}
