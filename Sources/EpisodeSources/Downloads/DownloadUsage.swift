// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary

/// An episode that a rule may download.
struct RuleCandidate {
    /// The download as it will be when it is complete; the present one, as the oldest of all, if it is not retried.
    let download: RetentionRule.StoredDownload
    /// What the rule of the podcast checks; `nil` if that rule has requested the episode.
    let check: (rule: AutoDownloadRule, episode: AutoDownloadRule.Candidate)?
    /// False if the episode waits for its next retry, or is not retried.
    let isDue: Bool
    /// The number of bytes on disk.
    let partialBytes: Int64
}

/// The disk usage of downloads, by which rules refuse further ones. Pure.
struct DownloadUsage {
    let rule: RetentionRule
    /// The current time in seconds since 1970.
    let time: Int64
    /// The complete downloads, and the accepted ones of the rules.
    var complete: [RetentionRule.StoredDownload]
    /// The number of bytes of the other downloads, except for those on which `decide` decides.
    var partialBytes: Int64
    /// The number of bytes of the downloads that rules requested.
    var automaticBytes: Int64

    /// Returns the setting that excludes an episode: also one that would require its removal after the download.
    func refusal(of candidate: RuleCandidate) -> SettingKey? {
        let refusal = candidate.check.flatMap { $0.rule.refusal(of: $0.episode, heldBytes: automaticBytes) }
        return refusal ?? rule.refusal(of: candidate.download, among: complete, beside: partialBytes, at: time)
    }

    /// An episode, and the setting that excludes it; `nil` if none does.
    typealias Decision = (candidate: RuleCandidate, refusal: SettingKey?)

    /// Decides on protected episodes first and then on the newest ones, because the retention rules keep these; adds
    /// the accepted ones.
    mutating func decide(_ candidates: [RuleCandidate]) -> [Decision] {
        var decisions: [Decision] = []
        for candidate in candidates.sorted(by: Self.isFirst) {
            let key = refusal(of: candidate)
            if key == nil { add(candidate) }
            decisions.append((candidate, key))
        }
        return decisions
    }

    private static func isFirst(_ left: RuleCandidate, _ right: RuleCandidate) -> Bool {
        let (first, second) = (left.download, right.download)
        guard first.isProtected == second.isProtected else { return first.isProtected }
        return (first.sortedAt, first.episode) > (second.sortedAt, second.episode)
    }

    private mutating func add(_ candidate: RuleCandidate) {
        complete.append(candidate.download)
        // The bytes of an earlier request are included.
        if candidate.check != nil { automaticBytes = automaticBytes.addingClamped(candidate.download.bytes) }
    }
}
