// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("The issue for which a file was downloaded")
struct EpisodeIssueTests {
    private let stage: LibraryStage
    private var library: Library { stage.library }
    private let latest = "https://host.example/latest.mp3"

    init() throws { stage = try LibraryStage() }

    private static let fetched = EpisodeIssue(
        url: "http://host.example/a.mp3?token=1", published: UTCTime(secondsSince1970: 1_000_000), length: 100)

    private static func issue(
        _ url: String = "http://host.example/a.mp3?token=1", _ published: Int64? = 1_000_000, _ length: Int64? = 100
    ) -> EpisodeIssue {
        EpisodeIssue(url: url, published: published.map { UTCTime(secondsSince1970: $0) }, length: length)
    }

    @Test("A token, a scheme or a counting service does not make another issue", arguments: [
        (issue(), EpisodeIssue.Comparison.same), (issue("https://host.example/a.mp3?token=2"), .same),
        (issue("https://count.example/e/host.example/a.mp3"), .same),
        (issue("https://cdn.example/a.mp3"), .unclear),
        (issue("http://host.example/a.mp3", 1_000_000, 200), .unclear),
        (issue("http://host.example/a.mp3", 2_000_000), .unclear),
        (issue("http://host.example/b.mp3", 1_000_060), .unclear), (issue("http://host.example/b.mp3", nil), .unclear),
        (issue("http://host.example/b.mp3", 1_003_600), .later), (issue("http://host.example/b.mp3", 9), .unclear),
    ])
    func compared(issue: EpisodeIssue, expected: EpisodeIssue.Comparison) {
        #expect(issue.compared(with: Self.fetched) == expected)
    }

    @Test("Episodes with the same address have separate files, and a file keeps its name")
    func names() throws {
        let podcast = try stage.subscribe()
        let first = try stage.merge([.numbered(1, url: latest)], into: podcast).new[0]
        try library.requestDownload(first, by: .listener)
        #expect(try library.keptIssue(of: first)?.name == latest)
        let second = try stage.merge([.numbered(8, url: latest)], into: podcast, isComplete: false).new[0]
        #expect(try library.keptIssue(of: second)?.name == latest + "#episode-\(second)")
        try library.requestDownload(second, by: .playing)
        #expect(try library.downloads().map(\.keptAs) == [latest, latest + "#episode-\(second)"])
        #expect(try library.keptIssue(of: first)?.isLatestOfAddress == false)
        #expect(try library.keptIssue(of: second)?.isLatestOfAddress == true)
    }

    @Test("The downloaded issue is recorded")
    func noted() throws {
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        try library.requestDownload(id, by: .listener)
        #expect(try library.keptIssue(of: id)?.fetched == nil)
        try library.noteFetched(id)
        let episode = try library.episode(id)
        #expect(try library.keptIssue(of: id)?.fetched == EpisodeIssue(
            url: "https://host.example/1.mp3", published: episode.published, length: 1_000_000))
        try library.noteFolder(id, "/elsewhere")
        #expect(try library.download(of: id)?.folder == "/elsewhere")
    }

    @Test("A record of playback is removed unless the episode has a file or another request")
    func forgotten() throws {
        let ids = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.subscribe()).new
        try library.requestDownload(ids[0], by: .playing)
        try library.requestDownload(ids[1], by: .listener)
        try library.requestDownload(ids[2], by: .playing)
        try library.noteDownload(ids[2], .complete, total: 1, extents: [0..<1])
        for id in ids { try library.forgetPlayed(id) }
        #expect(Set(try library.downloads().map(\.episode)) == Set(ids[1...]))
    }

    @Test("A stored episode can be played although its feed no longer has audio for it")
    func withoutEnclosure() throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        try library.requestDownload(id, by: .listener)
        try library.noteDownload(id, .complete, total: 1, extents: [0..<1])
        var silent = ParsedEpisode.numbered(1)
        silent.enclosures = []
        try stage.merge([silent], into: podcast)
        #expect(try library.episode(id).hasAudio)
        try library.removeDownloads([id])
        #expect(throws: LibraryError.self) { try library.episode(id).expectAudio() }
        try library.requestDownload(id, by: .listener)
        #expect(try library.episode(id).hasAudio)
    }
}

@Suite("Later audio under the GUID of an episode")
struct ReplacedIssueTests {
    private let stage: LibraryStage
    private var library: Library { stage.library }

    init() throws { stage = try LibraryStage() }

    private func progress(_ now: [ParsedEpisode], after before: [ParsedEpisode]) throws -> [EpisodeSummary.Progress] {
        let podcast = try stage.subscribe()
        let ids = try stage.merge(before, into: podcast).new
        for id in ids { try library.save(PlaybackPosition(position: .seconds(90)), of: id, .act) }
        if let id = ids.last { try library.finish(id, heard: nil) }
        try stage.merge(now, into: podcast)
        return try ids.map { try library.episode($0).progress }
    }

    @Test("Later audio is unplayed and starts at its beginning")
    func unplayed() throws {
        let later = ParsedEpisode.numbered(2, guid: "g1", title: "Another")
        #expect(try progress([later], after: [.numbered(1)]) == [.unplayed])
        #expect(try library.history(limit: 1).count == 1)
    }

    /// Returns the entry of a day with another file and a later date.
    private static func replaced(
        _ day: Int, hours: Int64, title: String? = nil, minutes: Int = 30
    ) -> ParsedEpisode {
        let url = "https://cdn.example/new\(day).mp3"
        var episode = ParsedEpisode.numbered(day, title: title, url: url, minutes: minutes)
        episode.published = episode.published.map { $0.later(by: .seconds(hours * 3600)) }
        return episode
    }

    @Test("A corrected file of the same day keeps the played state", arguments: [1, 2, 19] as [Int64])
    func corrected(hours: Int64) throws {
        #expect(try progress([Self.replaced(1, hours: hours)], after: [.numbered(1)]) == [.played])
    }

    @Test("A short feed that changes its host and the time zone of its dates keeps its positions")
    func movedWithDates() throws {
        let now = (1...3).map { Self.replaced($0, hours: 1) }
        #expect(try progress(now, after: (1...3).map { ParsedEpisode.numbered($0) }) == [.started, .started, .played])
    }

    @Test("A bulletin of the next hour, with another title and duration, is unplayed")
    func hourly() throws {
        let next = Self.replaced(1, hours: 1, title: "News at ten", minutes: 4)
        #expect(try progress([next], after: [.numbered(1)]) == [.unplayed])
    }

    @Test("Undo restores the position that later audio had reset, and the next refresh keeps it")
    func restored() throws {
        let podcast = try stage.subscribe()
        let id = try #require(try stage.merge([.numbered(1)], into: podcast).new.first)
        let heard = Duration.zero ..< .seconds(90)
        try library.save(PlaybackPosition(position: .seconds(90), heard: heard), of: id, .act)
        let later = Self.replaced(1, hours: 24)
        try stage.merge([later], into: podcast)
        #expect(try library.episode(id).position == .zero)
        let act = try library.undo()
        #expect(act.verb == .startOver && act.subject == "Episode 1")
        try stage.merge([later], into: podcast)
        #expect(try library.episode(id).position == .seconds(90) && library.playedRanges(of: id) == [heard])
    }

    @Test("Later audio of an unplayed episode is not an act")
    func withoutPosition() throws {
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(1)], into: podcast)
        try stage.merge([Self.replaced(1, hours: 24)], into: podcast)
        #expect(try library.acts(limit: 9).map(\.verb) == [.subscribe])
    }

    @Test("A token, another host, or a corrected date keeps the played state", arguments: [
        ParsedEpisode.numbered(1, url: "https://host.example/1.mp3?token=2"),
        .numbered(1, url: "https://cdn.example/9.mp3"), .numbered(2, guid: "g1", url: "https://host.example/1.mp3"),
    ])
    func kept(now: ParsedEpisode) throws {
        #expect(try progress([now], after: [.numbered(1)]) == [.played])
    }

    @Test("If most episodes change this way, the feed has moved to another host")
    func moved() throws {
        let before = (1...6).map { ParsedEpisode.numbered($0) }
        let now = (1...6).map { day -> ParsedEpisode in
            .numbered(day + 1, guid: "g\(day)", title: "Episode \(day)", url: "https://cdn.example/x\(day).mp3")
        }
        #expect(try progress(now, after: before).allSatisfy { $0 != .unplayed })
    }
}
