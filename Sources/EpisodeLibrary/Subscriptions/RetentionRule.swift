// SPDX-License-Identifier: GPL-3.0-or-later

/// Which downloads are kept no longer. Pure.
///
/// It never touches what the listener asked for, queued, bookmarked or is in the middle of.
public struct RetentionRule: Sendable {
    /// A download that is whole.
    public struct Holding: Sendable, Equatable {
        public var episode: Int64
        public var podcast: Int64
        /// Seconds since 1970; by it the newest are told.
        public var published: Int64
        /// When it was heard to its end, in seconds since 1970.
        public var finishedAt: Int64?
        public var bytes: Int64
        public var isProtected: Bool

        public init(
            episode: Int64, podcast: Int64, published: Int64, finishedAt: Int64? = nil, bytes: Int64,
            isProtected: Bool = false
        ) {
            (self.episode, self.podcast, self.published) = (episode, podcast, published)
            (self.finishedAt, self.bytes, self.isProtected) = (finishedAt, bytes, isProtected)
        }
    }

    public struct Removal: Sendable, Equatable {
        public var episode: Int64
        /// The setting that says so.
        public var because: SettingKey

        public init(episode: Int64, because: SettingKey) { (self.episode, self.because) = (episode, because) }
    }

    private let settings: SettingsOfAll

    public init(_ settings: SettingsOfAll) { self.settings = settings }

    /// The bytes that everything on the disk may take; `nil` for any number.
    public var cap: Int64? {
        guard case .bytes(let cap) = settings.general[.keepTotal] else { return nil }
        return cap
    }

    /// - Parameters:
    ///   - others: bytes of what is not whole, and counts with the rest.
    ///   - now: seconds since 1970.
    public func removals(_ holdings: [Holding], beside others: Int64 = 0, at now: Int64) -> [Removal] {
        var removals = holdings.filter { isOutlived($0, at: now) }
            .map { Removal(episode: $0.episode, because: .keepDays) }
        for (podcast, all) in Dictionary(grouping: holdings, by: \.podcast).sorted(by: { $0.key < $1.key }) {
            guard case .count(let count) = settings[podcast][.keepNewest] else { continue }
            let newestFirst = all.sorted { ($0.published, $0.episode) > ($1.published, $1.episode) }
            removals += newestFirst.dropFirst(count).filter { !$0.isProtected }
                .map { Removal(episode: $0.episode, because: .keepNewest) }
        }
        var seen: Set<Int64> = []
        removals = removals.filter { seen.insert($0.episode).inserted }
        return removals + overflow(holdings, beside: others, without: seen)
    }

    private func isOutlived(_ holding: Holding, at now: Int64) -> Bool {
        guard !holding.isProtected, let finished = holding.finishedAt,
            case .count(let days) = settings[holding.podcast][.keepDays]
        else { return false }
        return now - finished >= Int64(days) * 86_400
    }

    /// What was heard goes first, then the oldest.
    private func overflow(_ holdings: [Holding], beside others: Int64, without removed: Set<Int64>) -> [Removal] {
        guard let cap else { return [] }
        let kept = holdings.filter { !removed.contains($0.episode) }
        var sum = kept.reduce(others) { $0.addingClamped($1.bytes) }
        let candidates = kept.filter { !$0.isProtected }.sorted { left, right in
            let (heard, other) = (left.finishedAt != nil, right.finishedAt != nil)
            return heard == other ? (left.published, left.episode) < (right.published, right.episode) : heard
        }
        return candidates.prefix { holding in
            defer { sum -= max(0, holding.bytes) }
            return sum > cap
        }.map { Removal(episode: $0.episode, because: .keepTotal) }
    }
}

extension Int64 {
    /// Feeds and servers can claim any length.
    public func addingClamped(_ bytes: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(Swift.max(0, bytes))
        return isTooMuch ? .max : sum
    }
}
