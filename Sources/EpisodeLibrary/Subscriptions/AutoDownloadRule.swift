// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule by which episodes are downloaded automatically. Pure.
public struct AutoDownloadRule: Sendable, Equatable {
    /// The properties of an episode that the rule checks.
    public struct Candidate: Sendable, Equatable {
        /// The rank among the episodes of the podcast; the newest is 1.
        public var rank: Int
        public var title: String
        /// The duration; an unknown value does not exclude the episode.
        public var duration: Duration?
        public var length: Int64?

        public init(place: Int, title: String, duration: Duration? = nil, length: Int64? = nil) {
            (self.rank, self.title, self.duration, self.length) = (place, title, duration, length)
        }
    }

    private let settings: EffectiveSettings

    public init(_ settings: EffectiveSettings) { self.settings = settings }

    /// The number of newest episodes that the rule considers.
    public var newest: Int { if case .count(let count) = settings[.autoDownload] { count } else { 0 } }

    /// Checks if an episode must be downloaded.
    /// - Parameter heldBytes: the number of bytes that the rule's downloads already use.
    /// - Returns: the setting that excludes the episode; `nil` if it must be downloaded.
    public func refusal(of episode: Candidate, heldBytes: Int64 = 0) -> SettingKey? {
        if episode.rank > newest { return .autoDownload }
        if case .words(let words) = settings[.autoDownloadWords], !words.allow(episode.title) {
            return .autoDownloadWords
        }
        if let duration = episode.duration {
            if case .duration(let least) = settings[.autoDownloadShortest], duration < least {
                return .autoDownloadShortest
            }
            if case .duration(let most) = settings[.autoDownloadLongest], duration > most {
                return .autoDownloadLongest
            }
        }
        if case .bytes(let cap) = settings[.autoDownloadCap] {
            let (sum, isTooMuch) = heldBytes.addingReportingOverflow(max(0, episode.length ?? 0))
            if isTooMuch || sum > cap { return .autoDownloadCap }
        }
        return nil
    }
}
