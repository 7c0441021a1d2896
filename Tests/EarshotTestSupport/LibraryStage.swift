// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Feeds
import Glibc
import Media
import Synchronization

/// A library in a temporary folder, and a wall clock that only `pass` advances.
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

    /// - Parameter folder: a subfolder of the temporary directory for the library.
    public init(folder: String = "") throws {
        directory = ScratchDirectory()
        mkdir(directory.path(folder), 0o755)
        let clock = WallClock()
        seconds = clock
        library = try Library(path: directory.path(folder) + "/library.db") { clock.now }
    }

    /// Advances the wall clock.
    public func pass(_ duration: Duration) {
        seconds.value.withLock { $0 += duration.components.seconds }
    }

    /// Advances the wall clock, with a refresh on every day.
    public func passDays(_ duration: Duration) throws {
        try library.countTime()
        var left = duration.components.seconds
        while left > 0 {
            pass(.seconds(min(left, 86_400)))
            try library.countTime()
            left -= 86_400
        }
    }

    public var path: String { library.path }

    /// Opens the same library as another process would.
    public func another() throws -> Library {
        let clock = seconds
        return try Library(path: path) { clock.now }
    }

    private var obstacle: String { path + ".copy-shm" }

    /// Returns a copy of the library on disk, with its write-ahead log, that cannot be written before `unblockCopy`:
    /// a symbolic link blocks the file that SQLite uses as shared memory.
    public func blockedCopy() throws -> Library {
        try copy("")
        try copy("-wal")
        // SQLite does not follow a symbolic link here, even for root.
        symlink("nowhere", obstacle)
        let clock = seconds
        return try Library(path: path + ".copy") { clock.now }
    }

    /// Copies the write-ahead log again, with the writes since the copy was made.
    public func copyLog() throws { try copy("-wal") }

    private func copy(_ end: String) throws {
        let name = path.dropFirst(directory.path.count + 1) + ".copy" + end
        try directory.write(ScratchDirectory.bytes(of: path + end), to: String(name))
    }

    /// Makes the copy writable.
    public func unblockCopy() { unlink(obstacle) }

    /// Subscribes to a feed and returns the number of the podcast.
    public func subscribe(_ url: String = "https://host.example/feed.xml") throws -> Int64 {
        try library.subscribe(Subscription(feedURL: url)).id
    }

    @discardableResult
    public func merge(
        _ episodes: [ParsedEpisode], into podcast: Int64, feed: ParsedFeed = .titled("Harbour Tales"),
        isComplete: Bool = true, in library: Library? = nil
    ) throws -> FeedMerge.Report {
        let merge = try FeedMerge(library ?? self.library, podcast: podcast)
        try merge.add(episodes)
        return try merge.commit(feed, isComplete: isComplete)
    }

    /// Returns the titles of the listed episodes, the newest first.
    public func titles(of podcast: Int64? = nil) throws -> [String] {
        try library.episodes(EpisodeFilter(podcast: podcast), limit: 10_000).episodes.map(\.name)
    }
}

extension ParsedFeed {
    /// Returns a feed with this title.
    public static func titled(_ title: String) -> ParsedFeed {
        var feed = ParsedFeed()
        feed.title = title
        return feed
    }
}

extension ParsedEpisode {
    /// Returns an episode of day `day` of the year 2025, with its own audio address.
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
