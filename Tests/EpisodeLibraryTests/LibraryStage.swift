// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Podcasts
import Synchronization

/// A library in a folder of its own, and a wall clock that stands still until it is told to go on.
final class LibraryStage: Sendable {
    /// 2026-01-01T00:00:00Z.
    static let newYear: Int64 = 1_767_225_600

    let directory: ScratchDirectory
    let library: Library
    private let seconds: WallClock

    final class WallClock: Sendable {
        let value = Mutex(LibraryStage.newYear)
        var now: UTCTime { UTCTime(secondsSince1970: value.withLock { $0 }) }
    }

    init() throws {
        directory = try ScratchDirectory()
        let clock = WallClock()
        seconds = clock
        library = try Library(path: directory.path + "/library.db") { clock.now }
    }

    func pass(_ duration: Duration) {
        seconds.value.withLock { $0 += duration.components.seconds }
    }

    var path: String { library.path }

    /// The same library as another process would open it.
    func another() throws -> Library {
        let clock = seconds
        return try Library(path: path) { clock.now }
    }

    func subscribe(_ url: String = "https://host.example/feed.xml") throws -> Int64 {
        try library.subscribe(Subscription(feedURL: url)).id
    }

    @discardableResult
    func merge(
        _ episodes: [ParsedEpisode], into podcast: Int64, feed: ParsedFeed = .titled("Harbour Tales"),
        isComplete: Bool = true, in library: Library? = nil
    ) throws -> FeedMerge.Report {
        let merge = try FeedMerge(library ?? self.library, podcast: podcast)
        try merge.take(episodes)
        return try merge.commit(feed, isComplete: isComplete)
    }

    /// Titles of what is shown, the newest first.
    func titles(of podcast: Int64? = nil) throws -> [String] {
        try library.episodes(EpisodeFilter(podcast: podcast), limit: 10_000).episodes.map(\.name)
    }
}

extension ParsedFeed {
    static func titled(_ title: String) -> ParsedFeed {
        var feed = ParsedFeed()
        feed.title = title
        return feed
    }
}

extension ParsedEpisode {
    /// An episode of day `day` of the year 2025, with audio at a place of its own.
    static func numbered(
        _ day: Int, guid: String? = nil, title: String? = nil, url: String? = nil, minutes: Int = 30,
        notes: String? = nil
    ) -> ParsedEpisode {
        var episode = ParsedEpisode(id: EpisodeID(rawValue: guid ?? "g\(day)"))
        episode.guid = guid ?? "g\(day)"
        episode.title = title ?? "Episode \(day)"
        episode.published = UTCTime(secondsSince1970: 1_735_689_600 + Int64(day) * 86_400)
        episode.duration = .seconds(minutes * 60)
        episode.contentHTML = notes ?? "<p>About number \(day).</p>"
        episode.enclosures = [
            ParsedEnclosure(url: url ?? "https://host.example/\(day).mp3", type: "audio/mpeg", length: 1_000_000)
        ]
        return episode
    }
}
