// SPDX-License-Identifier: GPL-3.0-or-later

/// Which episodes are downloaded without anybody asking for them. Pure.
public struct AutoDownloadRule: Sendable, Equatable {
    /// What the rule looks at.
    public struct Candidate: Sendable, Equatable {
        /// Among those of its podcast, the newest is 1.
        public var place: Int
        public var title: String
        /// What is not known is no reason against it.
        public var duration: Duration?
        public var length: Int64?

        public init(place: Int, title: String, duration: Duration? = nil, length: Int64? = nil) {
            (self.place, self.title, self.duration, self.length) = (place, title, duration, length)
        }
    }

    private let settings: HeldSettings

    public init(_ settings: HeldSettings) { self.settings = settings }

    /// How many of the newest it looks at.
    public var newest: Int { if case .count(let count) = settings[.autoDownload] { count } else { 0 } }

    /// - Parameter heldBytes: what the rule's downloads take already.
    /// - Returns: the setting that is against it; `nil` where it is to be downloaded.
    public func refusal(of episode: Candidate, heldBytes: Int64 = 0) -> SettingKey? {
        if episode.place > newest { return .autoDownload }
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
