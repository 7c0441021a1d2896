// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Feeds
import Glibc
import Podcasts
import Synchronization

/// A library in a folder of its own, and a wall clock that stands still until it is told to go on.
public final class LibraryStage: Sendable {
    /// 2026-01-01T00:00:00Z.
    public static let newYear: Int64 = 1_767_225_600

    public let directory: ScratchDirectory
    public let library: Library
    private let seconds: WallClock

    final class WallClock: Sendable {
        let value = Mutex(LibraryStage.newYear)
        var now: UTCTime { UTCTime(secondsSince1970: value.withLock { $0 }) }
    }

    /// - Parameter folder: in its directory, for the library.
    public init(folder: String = "") throws {
        directory = try ScratchDirectory()
        mkdir(directory.path(folder), 0o755)
        let clock = WallClock()
        seconds = clock
        library = try Library(path: directory.path(folder) + "/library.db") { clock.now }
    }

    public func pass(_ duration: Duration) {
        seconds.value.withLock { $0 += duration.components.seconds }
    }

    public var path: String { library.path }

    /// The same library as another process would open it.
    public func another() throws -> Library {
        let clock = seconds
        return try Library(path: path) { clock.now }
    }

    private var obstacle: String { path + ".copy-shm" }

    /// A copy of the library as it is on disk, its log included, that nobody can write before `unblockCopy`: a link
    /// is in the place of the file that SQLite shares among processes.
    public func blockedCopy() throws -> Library {
        try copy("")
        try copy("-wal")
        // SQLite follows no link there, whoever runs it.
        symlink("nowhere", obstacle)
        let clock = seconds
        return try Library(path: path + ".copy") { clock.now }
    }

    /// Takes over what was written since the copy was made.
    public func copyLog() throws { try copy("-wal") }

    private func copy(_ end: String) throws {
        let name = path.dropFirst(directory.path.count + 1) + ".copy" + end
        try directory.write(ScratchDirectory.bytes(of: path + end), to: String(name))
    }

    public func unblockCopy() { unlink(obstacle) }

    public func subscribe(_ url: String = "https://host.example/feed.xml") throws -> Int64 {
        try library.subscribe(Subscription(feedURL: url)).id
    }

    @discardableResult
    public func merge(
        _ episodes: [ParsedEpisode], into podcast: Int64, feed: ParsedFeed = .titled("Harbour Tales"),
        isComplete: Bool = true, in library: Library? = nil
    ) throws -> FeedMerge.Report {
        let merge = try FeedMerge(library ?? self.library, podcast: podcast)
        try merge.take(episodes)
        return try merge.commit(feed, isComplete: isComplete)
    }

    /// Titles of what is shown, the newest first.
    public func titles(of podcast: Int64? = nil) throws -> [String] {
        try library.episodes(EpisodeFilter(podcast: podcast), limit: 10_000).episodes.map(\.name)
    }
}

extension ParsedFeed {
    public static func titled(_ title: String) -> ParsedFeed {
        var feed = ParsedFeed()
        feed.title = title
        return feed
    }
}

extension ParsedEpisode {
    /// An episode of day `day` of the year 2025, with audio at a place of its own.
    public static func numbered(
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
