// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

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

    /// Requests the downloads that the rules call for, except those that `removeOld` would remove.
    /// - Returns: the requested episodes, and episodes that a rule requested earlier and whose retry is due.
    public func requestNew() throws(LibraryError) -> [Int64] {
        let wanted = try decide().decisions.filter { $0.refusal == nil && $0.candidate.isDue }.map(\.candidate)
        for candidate in wanted where candidate.check != nil {
            try library.requestDownload(candidate.download.episode, by: .rule)
        }
        return wanted.map(\.download.episode)
    }

    /// Returns the setting that excludes an episode from automatic downloads; `nil` if the next refresh downloads it.
    public func refusal(of episode: EpisodeSummary) throws(LibraryError) -> SettingKey? {
        let (usage, decisions) = try decide()
        if let decision = decisions.first(where: { $0.candidate.download.episode == episode.id }) {
            return decision.refusal
        }
        let rule = AutoDownloadRule(try library.effectiveSettings(for: episode.podcast))
        let newest = try library.episodes(EpisodeFilter(podcast: episode.podcast), limit: rule.newest).episodes
        let place = newest.firstIndex { $0.id == episode.id } ?? rule.newest
        return usage.refusal(of: try candidate(episode, place: place + 1, rule))
    }

    /// Decides on all episodes that a rule may download.
    /// - Returns: the disk usage with the accepted episodes, and the decisions.
    private func decide() throws(LibraryError) -> (usage: DownloadUsage, decisions: [DownloadUsage.Decision]) {
        let kept = try library.downloads()
        var usage = try usage(of: kept)
        let decisions = usage.decide(try unfinished(kept) + newCandidates())
        return (usage, decisions)
    }

    /// Returns the incomplete downloads that a rule requested.
    private func unfinished(_ kept: [Download]) throws(LibraryError) -> [RuleCandidate] {
        let oldest = library.currentTime.secondsSince1970 - Self.retryPeriod
        var candidates: [RuleCandidate] = []
        for download in kept where download.requestedBy == .rule && download.state != .complete {
            let episode = try library.episode(download.episode)
            let bytes = downloads.occupiedBytes(of: download)
            let isRetried = download.requestedAt.secondsSince1970 > oldest
            let length: Int64 = isRetried ? download.total ?? episode.enclosureLength ?? 0 : 0
            var planned = try planned(episode, max(bytes, length))
            // Its part must not displace complete downloads.
            if !isRetried { planned.sortedAt = .min }
            candidates.append(
                RuleCandidate(
                    download: planned, check: nil, isDue: isRetried && isDue(download), partialBytes: bytes))
        }
        return candidates
    }

    /// Returns the newest episodes of each podcast that a rule may request.
    private func newCandidates() throws(LibraryError) -> [RuleCandidate] {
        let settings = try library.allSettings()
        var candidates: [RuleCandidate] = []
        for feed in try library.feeds() {
            let rule = AutoDownloadRule(settings[feed.id])
            guard rule.newest > 0 else { continue }
            let newest = try library.episodes(EpisodeFilter(podcast: feed.id), limit: rule.newest).episodes
            for (place, episode) in newest.enumerated() where try isFree(episode) {
                candidates.append(try candidate(episode, place: place + 1, rule))
            }
        }
        return candidates
    }

    private func candidate(
        _ episode: EpisodeSummary, place: Int, _ rule: AutoDownloadRule
    ) throws(LibraryError) -> RuleCandidate {
        let checked = AutoDownloadRule.Candidate(
            place: place, title: episode.name, duration: episode.duration, length: episode.enclosureLength)
        let download = try planned(episode, episode.enclosureLength)
        return RuleCandidate(download: download, check: (rule, checked), isDue: true, partialBytes: 0)
    }

    /// Returns a download of a rule as it will be. An unknown length counts as a byte.
    private func planned(
        _ episode: EpisodeSummary, _ length: Int64?
    ) throws(LibraryError) -> RetentionRule.StoredDownload {
        try stored(episode, bytes: max(1, length ?? 0), by: .rule)
    }

    private func isDue(_ download: Download) -> Bool {
        guard download.state == .failed, let failed = download.finishedAt else { return true }
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
        /// The failure of the first file that cannot be moved to the trash. Its download stays.
        public var failure: MediaFailure?

        public init(removals: [RetentionRule.Removal] = [], trashed: Int64 = 0, freed: Int64 = 0) {
            (self.removals, self.trashed, self.freed) = (removals, trashed, freed)
        }
    }

    /// Moves the downloads that the rules no longer keep to the trash, also incomplete ones, and empties the trash as
    /// far as `keep-total` or the disk requires it.
    /// - Parameter found: the episodes of downloads that this refresh found on the disk. The limits count them from the
    ///   next refresh on: until then, the listener can raise a limit that would remove other downloads.
    public func removeOld(besides found: [Int64] = []) throws -> CleanupReport {
        let kept = try library.downloads().filter { !found.contains($0.episode) }
        var usage = try usage(of: kept)
        var tidying = CleanupReport(removals: try refused(unfinished(kept), &usage))
        tidying.removals += usage.rule.removals(usage.complete, beside: usage.partialBytes, at: usage.time)
        let (removed, failure) = try downloads.removeByRule(tidying.removals.map(\.episode))
        tidying.removals.removeAll { !removed.contains($0.episode) }
        tidying.failure = failure
        let rest = usage.complete.filter { !removed.contains($0.episode) }
            .reduce(usage.partialBytes) { $0.addingClamped($1.bytes) }
        if let cap = usage.rule.cap {
            tidying.freed = try downloads.emptyTrash(freeing: rest.addingClamped(downloads.trash().bytes) - cap)
        }
        tidying.freed += try downloads.freeSpace()
        tidying.trashed = downloads.trashedBytes(of: kept.filter { removed.contains($0.episode) })
        return tidying
    }

    /// Returns the incomplete downloads to remove because `requestNew` refuses them. Counts the bytes of the others.
    private func refused(
        _ unfinished: [RuleCandidate], _ usage: inout DownloadUsage
    ) throws -> [RetentionRule.Removal] {
        var removals: [RetentionRule.Removal] = []
        var planned = usage
        for (candidate, refusal) in planned.decide(unfinished) where candidate.partialBytes > 0 {
            let episode = candidate.download.episode
            if let refusal, try !downloads.isBusy(episode) {
                removals.append(RetentionRule.Removal(episode: episode, because: refusal))
            } else {
                usage.partialBytes = usage.partialBytes.addingClamped(candidate.partialBytes)
            }
        }
        return removals
    }

    /// Returns the usage without the incomplete downloads that a rule requested.
    private func usage(of kept: [Download]) throws(LibraryError) -> DownloadUsage {
        var usage = DownloadUsage(
            rule: RetentionRule(try library.allSettings()), time: try library.countedTime().secondsSince1970,
            complete: [], partialBytes: 0, automaticBytes: 0)
        for download in kept {
            let bytes = downloads.occupiedBytes(of: download)
            if download.state == .complete {
                let episode = try library.episode(download.episode)
                usage.complete.append(try stored(episode, bytes: bytes, by: download.requestedBy))
            } else if download.requestedBy != .rule {
                usage.partialBytes = usage.partialBytes.addingClamped(bytes)
            }
            guard download.requestedBy == .rule else { continue }
            usage.automaticBytes = usage.automaticBytes.addingClamped(download.total ?? 0)
        }
        return usage
    }

    /// Returns a complete download as the retention rules count it.
    private func stored(
        _ episode: EpisodeSummary, bytes: Int64, by reason: Download.Reason
    ) throws(LibraryError) -> RetentionRule.StoredDownload {
        let isBookmarked = try !library.bookmarks(of: episode.id).isEmpty
        let isProtected = reason == .listener || episode.isQueued || episode.progress == .started || isBookmarked
        return RetentionRule.StoredDownload(
            episode: episode.id, podcast: episode.podcast, sortedAt: episode.sortedAt,
            finishedAt: episode.finishedAt?.secondsSince1970, bytes: bytes, isProtected: isProtected)
    }
}
