// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule by which downloads are removed. Pure.
///
/// The rule never removes downloads that the listener requested, queued, bookmarked or has started to play.
public struct RetentionRule: Sendable {
    /// A complete download.
    public struct StoredDownload: Sendable, Equatable {
        public var episode: Int64
        public var podcast: Int64
        /// The time by which lists of episodes are sorted, in seconds since 1970; it determines the newest episodes.
        public var sortedAt: Int64
        /// The time at which the episode was played to its end, in seconds since 1970.
        public var finishedAt: Int64?
        public var bytes: Int64
        public var isProtected: Bool

        public init(
            episode: Int64, podcast: Int64, sortedAt: Int64, finishedAt: Int64? = nil, bytes: Int64,
            isProtected: Bool = false
        ) {
            (self.episode, self.podcast, self.sortedAt) = (episode, podcast, sortedAt)
            (self.finishedAt, self.bytes, self.isProtected) = (finishedAt, bytes, isProtected)
        }
    }

    /// A download to remove.
    public struct Removal: Sendable, Equatable {
        public var episode: Int64
        /// The setting that requires the removal.
        public var because: SettingKey

        public init(episode: Int64, because: SettingKey) { (self.episode, self.because) = (episode, because) }
    }

    private let settings: SettingsOfAll

    public init(_ settings: SettingsOfAll) { self.settings = settings }

    /// The maximum number of bytes on the disk; `nil` without a limit.
    public var cap: Int64? {
        guard case .bytes(let cap) = settings.general[.keepTotal] else { return nil }
        return cap
    }

    /// Returns the downloads to remove.
    /// - Parameters:
    ///   - others: the number of bytes of incomplete downloads, which also count.
    ///   - now: the current time in seconds since 1970.
    public func removals(_ holdings: [StoredDownload], beside others: Int64 = 0, at now: Int64) -> [Removal] {
        var removals = holdings.filter { isExpired($0, at: now) }
            .map { Removal(episode: $0.episode, because: .keepDays) }
        for (podcast, all) in Dictionary(grouping: holdings, by: \.podcast).sorted(by: { $0.key < $1.key }) {
            guard case .count(let count) = settings[podcast][.keepNewest] else { continue }
            let newestFirst = all.sorted { ($0.sortedAt, $0.episode) > ($1.sortedAt, $1.episode) }
            removals += newestFirst.dropFirst(count).filter { !$0.isProtected }
                .map { Removal(episode: $0.episode, because: .keepNewest) }
        }
        var seen: Set<Int64> = []
        removals = removals.filter { seen.insert($0.episode).inserted }
        return removals + overflow(holdings, beside: others, without: seen)
    }

    /// Returns the setting that would require the removal of a new download; `nil` if none would.
    /// - Parameters:
    ///   - new: the download as it will be.
    ///   - others: the number of bytes of incomplete downloads, which also count.
    ///   - now: the current time in seconds since 1970.
    public func refusal(
        of new: StoredDownload, among holdings: [StoredDownload], beside others: Int64 = 0, at now: Int64
    ) -> SettingKey? {
        let all = holdings.filter { $0.episode != new.episode } + [new]
        return removals(all, beside: others, at: now).first { $0.episode == new.episode }?.because
    }

    private func isExpired(_ holding: StoredDownload, at now: Int64) -> Bool {
        guard !holding.isProtected, let finished = holding.finishedAt,
            case .count(let days) = settings[holding.podcast][.keepDays]
        else { return false }
        return now - finished >= Int64(days) * 86_400
    }

    /// Returns the downloads to remove above the limit: played ones first, then the oldest.
    private func overflow(_ holdings: [StoredDownload], beside others: Int64, without removed: Set<Int64>) -> [Removal]
    {
        guard let cap else { return [] }
        let kept = holdings.filter { !removed.contains($0.episode) }
        var sum = kept.reduce(others) { $0.addingClamped($1.bytes) }
        let candidates = kept.filter { !$0.isProtected }.sorted { left, right in
            let (heard, other) = (left.finishedAt != nil, right.finishedAt != nil)
            return heard == other ? (left.sortedAt, left.episode) < (right.sortedAt, right.episode) : heard
        }
        return candidates.prefix { holding in
            defer { sum -= max(0, holding.bytes) }
            return sum > cap
        }.map { Removal(episode: $0.episode, because: .keepTotal) }
    }
}

extension Int64 {
    /// Adds a length without overflow: feeds and servers can claim any length.
    public func addingClamped(_ bytes: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(Swift.max(0, bytes))
        return isTooMuch ? .max : sum
    }
}
