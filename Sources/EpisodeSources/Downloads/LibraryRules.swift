// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The automatic work after a refresh: requests downloads of new episodes and moves old downloads to the trash.
/// Blocks on disk access.
public struct LibraryRules: Sendable {
    private let library: Library
    private let downloads: LibraryDownloads

    public init(_ library: Library, _ downloads: LibraryDownloads) {
        self.library = library
        self.downloads = downloads
    }

    /// The time, in seconds, during which a download requested by a rule is retried.
    private static let retryPeriod: Int64 = 7 * 86_400

    /// Requests the downloads that the rules call for.
    /// - Returns: the requested episodes, and episodes that a rule requested earlier and whose retry is due.
    public func requestNew() throws(LibraryError) -> [Int64] {
        let before = try library.downloads().filter { $0.requestedBy == .rule }
        var held = before.reduce(Int64(0)) { $0.addingClamped($1.total ?? 0) }
        let oldest = library.currentTime.secondsSince1970 - Self.retryPeriod
        var wanted = before.filter { $0.requestedAt.secondsSince1970 > oldest && isDue($0) }.map(\.episode)
        let settings = try library.allSettings()
        for feed in try library.feeds() {
            let rule = AutoDownloadRule(settings[feed.id])
            guard rule.newest > 0 else { continue }
            let newest = try library.episodes(EpisodeFilter(podcast: feed.id), limit: rule.newest).episodes
            for (place, episode) in newest.enumerated() where try isFree(episode) {
                let candidate = AutoDownloadRule.Candidate(
                    place: place + 1, title: episode.name, duration: episode.duration, length: episode.enclosureLength)
                guard rule.refusal(of: candidate, heldBytes: held) == nil else { continue }
                try library.requestDownload(episode.id, by: .rule)
                held = held.addingClamped(episode.enclosureLength ?? 0)
                wanted.append(episode.id)
            }
        }
        return wanted
    }

    private func isDue(_ download: Download) -> Bool {
        guard download.state == .failed, let failed = download.finishedAt else { return download.state != .complete }
        let now = library.currentTime
        // A failure in the future was recorded by a wrong clock.
        return now < failed || DownloadRetry.next(after: failed, wanted: download.requestedAt) <= now
    }

    /// True if a rule may request the episode: it has not been played and has no download, not even a removed one.
    private func isFree(_ episode: EpisodeSummary) throws(LibraryError) -> Bool {
        guard episode.hasAudio, episode.progress != .played else { return false }
        return try library.download(of: episode.id) == nil
    }

    /// The result of applying the retention rules.
    public struct CleanupReport: Sendable, Equatable {
        /// The downloads that were moved to the trash.
        public var removals: [RetentionRule.Removal]
        /// The number of bytes of these downloads that are still in the trash.
        public var trashed: Int64
        /// The number of bytes that were deleted from the trash.
        public var freed: Int64

        public init(removals: [RetentionRule.Removal] = [], trashed: Int64 = 0, freed: Int64 = 0) {
            (self.removals, self.trashed, self.freed) = (removals, trashed, freed)
        }
    }

    /// Moves the downloads that the rules no longer keep to the trash, and empties the trash as far as `keep-total`
    /// or the disk requires it.
    public func removeOld() throws -> CleanupReport {
        let rule = RetentionRule(try library.allSettings())
        let kept = try library.downloads()
        let partial = kept.filter { $0.state != .complete }.map(downloads.occupiedBytes(of:)).reduce(0, +)
        let holdings = try kept.filter { $0.state == .complete }.map(holding)
        var tidying = CleanupReport()
        let now = try library.countedTime().secondsSince1970
        tidying.removals = rule.removals(holdings, beside: partial, at: now)
        let removed = Set(tidying.removals.map(\.episode))
        if !removed.isEmpty { try downloads.remove(tidying.removals.map(\.episode), byRule: true) }
        let rest = holdings.filter { !removed.contains($0.episode) }.reduce(partial) { $0.addingClamped($1.bytes) }
        if let cap = rule.cap {
            tidying.freed = try downloads.emptyTrash(freeing: rest.addingClamped(downloads.trash().bytes) - cap)
        }
        tidying.freed += try downloads.freeSpace()
        tidying.trashed = downloads.trashedBytes(of: kept.filter { removed.contains($0.episode) })
        return tidying
    }

    private func holding(_ download: Download) throws(LibraryError) -> RetentionRule.StoredDownload {
        let episode = try library.episode(download.episode)
        let isBookmarked = try !library.bookmarks(of: episode.id).isEmpty
        let isProtected =
            download.requestedBy == .listener || episode.isQueued || episode.progress == .started || isBookmarked
        let finished = episode.finishedAt?.secondsSince1970
        return RetentionRule.StoredDownload(
            episode: episode.id, podcast: episode.podcast, sortedAt: episode.sortedAt,
            finishedAt: finished, bytes: downloads.occupiedBytes(of: download), isProtected: isProtected)
    }
}
