// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Podcasts

/// What happens by itself after a refresh: new episodes are wanted, old downloads go to the trash. Waits for the disk.
public struct LibraryRules: Sendable {
    private let library: Library
    private let downloads: LibraryDownloads

    public init(_ library: Library, _ downloads: LibraryDownloads) {
        self.library = library
        self.downloads = downloads
    }

    /// How long it is tried to have what a rule wanted.
    private static let patience: Int64 = 7 * 86_400

    /// Wants the episodes that the rules say.
    /// - Returns: them, and those they wanted before that have not come and are to be tried again by now.
    public func wantNew() throws(LibraryError) -> [Int64] {
        let before = try library.downloads().filter { $0.wantedBy == .rule }
        var held = before.reduce(Int64(0)) { $0.addingClamped($1.total ?? 0) }
        let oldest = library.currentTime.secondsSince1970 - Self.patience
        var wanted = before.filter { $0.wantedAt.secondsSince1970 > oldest && isDue($0) }.map(\.episode)
        let settings = try library.allSettings()
        for feed in try library.feeds() {
            let rule = AutoDownloadRule(settings[feed.id])
            guard rule.newest > 0 else { continue }
            let newest = try library.episodes(EpisodeFilter(podcast: feed.id), limit: rule.newest).episodes
            for (place, episode) in newest.enumerated() where try isFree(episode) {
                let candidate = AutoDownloadRule.Candidate(
                    place: place + 1, title: episode.name, duration: episode.duration, length: episode.enclosureLength)
                guard rule.refusal(of: candidate, heldBytes: held) == nil else { continue }
                try library.want(episode.id, by: .rule)
                held = held.addingClamped(episode.enclosureLength ?? 0)
                wanted.append(episode.id)
            }
        }
        return wanted
    }

    private func isDue(_ download: Download) -> Bool {
        guard download.state == .failed, let failed = download.finishedAt else { return download.state != .complete }
        let now = library.currentTime
        // What failed in the future failed by a clock that was wrong.
        return now < failed || DownloadRetry.next(after: failed, wanted: download.wantedAt) <= now
    }

    /// What was heard, or was removed before, is not fetched again.
    private func isFree(_ episode: EpisodeSummary) throws(LibraryError) -> Bool {
        guard episode.enclosureURL != nil, episode.progress != .played else { return false }
        return try library.download(of: episode.id) == nil
    }

    /// Puts into the trash what the rules keep no longer.
    public func removeOld() throws -> [RetentionRule.Removal] {
        let holdings = try library.downloads().filter { $0.state == .complete }.map(holding)
        let removals = RetentionRule(try library.allSettings())
            .removals(holdings, at: library.currentTime.secondsSince1970)
        if !removals.isEmpty { _ = try downloads.remove(removals.map(\.episode), byRule: true) }
        return removals
    }

    private func holding(_ download: Download) throws(LibraryError) -> RetentionRule.Holding {
        let episode = try library.episode(download.episode)
        let isBookmarked = try !library.bookmarks(of: episode.id).isEmpty
        let isProtected =
            download.wantedBy == .listener || episode.isQueued || episode.progress == .started || isBookmarked
        let finished = episode.finishedAt?.secondsSince1970
        return RetentionRule.Holding(
            episode: episode.id, podcast: episode.podcast, published: episode.published?.secondsSince1970 ?? 0,
            finishedAt: finished, bytes: download.total ?? 0, isProtected: isProtected)
    }
}
