// SPDX-License-Identifier: GPL-3.0-or-later

/// Which episodes of a document are which of those known, by ordered evidence: an entry that has not changed, GUID,
/// then enclosure, then title, date and duration. Pure.
///
/// What occurs twice in the document, or twice among those known, is no evidence: hosts give one placeholder to many.
/// An entry with a GUID and a date of its own is a new episode, even with the title, or at the address, of the one
/// before it: that is how bulletins are published. Dates may differ only where the whole feed was given other GUIDs.
struct EpisodeMatcher {
    /// Why two episodes are the same one.
    enum Reason: String, Sendable {
        case new, guid, enclosure, title
        /// The entry is word for word what it was.
        case unchanged
        /// It is one that the listener has made one with another, which is in the document, too.
        case absorbed
        /// Several have this GUID, and nothing else tells them apart: they are paired in order.
        case order
    }

    struct Known: Sendable, Equatable {
        let id: Int64
        var evidence: EpisodeEvidence
    }

    enum Kind: String, Sendable, CaseIterable {
        case guid, enclosure
    }

    struct Outcome: Equatable {
        /// For each incoming episode, in order: the known one it is; `nil` where it is new.
        var ids: [Int64?]
        var reasons: [Reason]
        /// Known twice until now: the first goes on as the second.
        var unions: [(from: Int64, into: Int64)] = []

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.ids == right.ids && left.reasons == right.reasons
                && left.unions.elementsEqual(right.unions) { $0.from == $1.from && $0.into == $1.into }
        }
    }

    /// What more than these have says nothing of any of them, and would take long to compare.
    private static let mostAlike = 64
    /// So many entries that keep their address and title under other GUIDs are not issues of one show: few shows have
    /// more than one address that stays.
    private static let mostConstantAddresses = 2

    private let known: [Known]
    private let byID: KnownEpisodes
    private let incoming: [EpisodeEvidence]
    /// Evidence a known episode had in an earlier document.
    private let aliases: [Kind: [Int64: Int64]]
    private var outcome: Outcome
    private var claimed: Set<Int64> = []
    /// Seconds that the dates of one episode under two GUIDs may differ by.
    private var tolerance: Int64 = 0

    static func match(
        _ incoming: [EpisodeEvidence], with known: [Known], aliases: [Kind: [Int64: Int64]] = [:]
    ) -> Outcome {
        var matcher = EpisodeMatcher(incoming, known, aliases)
        matcher.matchUnchanged()
        matcher.matchKeys(.guid, \.guid, .guid)
        let keepsGUIDs = !matcher.claimed.isEmpty
        matcher.matchKeys(.enclosure, \.enclosure, .enclosure)
        matcher.matchTitles { $0.titleAndDate }
        if !keepsGUIDs, matcher.isRenamed {
            matcher.tolerance = EpisodeEvidence.longestCorrection
            matcher.matchKeys(.enclosure, \.enclosure, .enclosure)
            matcher.matchDistinctTitles()
        }
        matcher.matchInOrder()
        matcher.absorb()
        matcher.unite(.guid, \.guid)
        matcher.unite(.enclosure, \.enclosure)
        return matcher.outcome
    }

    private init(_ incoming: [EpisodeEvidence], _ known: [Known], _ aliases: [Kind: [Int64: Int64]]) {
        byID = KnownEpisodes(known)
        (self.incoming, self.known, self.aliases) = (incoming, byID.list, aliases)
        outcome = Outcome(
            ids: [Int64?](repeating: nil, count: incoming.count),
            reasons: [Reason](repeating: .new, count: incoming.count))
    }

    private mutating func claim(_ id: Int64, by index: Int, _ reason: Reason) {
        outcome.ids[index] = id
        outcome.reasons[index] = reason
        claimed.insert(id)
    }

    private mutating func matchUnchanged() {
        let owners = KeyPlaces(known, \.evidence.content)
        // Of the entries that are alike, each claims the next episode.
        let alike = KeyPlaces(incoming, \.content)
        for (index, evidence) in incoming.enumerated() {
            guard let content = evidence.content, case let places = owners[content], !places.isEmpty else { continue }
            let rank = alike[content].partitioningIndex { $0 >= index } - alike[content].startIndex
            if rank < places.count { claim(known[places[places.startIndex + rank]].id, by: index, .unchanged) }
        }
    }

    /// By what the known ones have now, and then by what they had: a name that somebody has is nobody else's.
    private mutating func matchKeys(_ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>, _ reason: Reason) {
        let owners = owners(kind, key)
        let askers = KeyPlaces(incoming) { $0[keyPath: key] }
        for name in [owners.present, owners.former] {
            for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
                guard let key = evidence[keyPath: key], askers[key].count == 1, let owner = name(key),
                    !claimed.contains(owner), kind == .guid || !isAnotherIssue(evidence, owner)
                else { continue }
                claim(owner, by: index, reason)
            }
        }
    }

    /// One address for the audio of each day: where GUID and date differ, it is another episode.
    private func isAnotherIssue(_ evidence: EpisodeEvidence, _ id: Int64) -> Bool {
        byID[id].map { evidence.isAnotherIssue(than: $0, beyond: tolerance) } ?? false
    }

    /// Whose each key is. What two have now names neither.
    private func owners(
        _ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>
    ) -> (present: (Int64) -> Int64?, former: (Int64) -> Int64?) {
        let places = KeyPlaces(known) { $0.evidence[keyPath: key] }
        let (known, aliases) = (known, aliases[kind] ?? [:])
        return ({ key in places.only(key).map { known[$0].id } }, { places[$0].isEmpty ? aliases[$0] : nil })
    }

    /// By what nobody else has among those that are left.
    private mutating func matchTitles(_ key: (EpisodeEvidence) -> Int64?) {
        let owners = KeyPlaces(known) { claimed.contains($0.id) ? nil : key($0.evidence) }
        let askers = KeyPlaces(incoming.indices) { outcome.ids[$0] == nil ? key(incoming[$0]) : nil }
        askers.forEachOnly { asker, index in
            guard let match = owners.only(asker).map({ known[$0] }) else { return }
            if incoming[index].resembles(match.evidence, within: tolerance) { claim(match.id, by: index, .title) }
        }
    }

    /// By titles that no two episodes have, in the library or in the document.
    private mutating func matchDistinctTitles() {
        let common = KeyPlaces(known, \.evidence.title).shared.union(KeyPlaces(incoming, \.title).shared)
        matchTitles { evidence in evidence.title.flatMap { common.contains($0) ? nil : $0 } }
    }

    // MARK: Feeds whose GUIDs all changed

    /// Whether a document none of whose GUIDs is known holds the episodes that are: two or more of them are where and
    /// when they were, or it covers the same time (the issues of a bulletin follow each other), or most of it has the
    /// addresses and titles that are known.
    private var isRenamed: Bool {
        guard incoming.count > 1 else { return false }
        return claimed.count > 1 || coversSameTime || countOfKnownAudio > Self.mostConstantAddresses
    }

    private var coversSameTime: Bool {
        let (theirs, ours) = (incoming.compactMap(\.published), known.compactMap(\.evidence.published))
        guard let first = theirs.min(), let last = theirs.max(), let oldest = ours.min(), let newest = ours.max() else {
            return false
        }
        return first <= newest && oldest <= last
    }

    private var countOfKnownAudio: Int {
        let owners = owners(.enclosure, \.enclosure).present
        return incoming.count { evidence in
            let owner = evidence.enclosure.flatMap(owners)
            return evidence.title != nil && evidence.title == owner.flatMap { byID[$0]?.title }
        }
    }

    private mutating func matchInOrder() {
        let owners = KeyPlaces(known) { claimed.contains($0.id) ? nil : $0.evidence.guid }
        for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
            guard let guid = evidence.guid, case let places = owners[guid], places.count <= Self.mostAlike,
                let first = places.first(where: { isFree(known[$0], for: evidence) })
            else { continue }
            claim(known[first].id, by: index, .order)
        }
    }

    private func isFree(_ episode: Known, for evidence: EpisodeEvidence) -> Bool {
        !claimed.contains(episode.id) && !evidence.contradicts(episode.evidence)
    }

    /// Both of its names were given to one that has found its entry already.
    private mutating func absorb() {
        for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
            guard let guid = evidence.guid, let owner = aliases[.guid]?[guid], claimed.contains(owner) else { continue }
            let audio = evidence.enclosure
            let isOwners = audio.map { $0 == byID[owner]?.enclosure || aliases[.enclosure]?[$0] == owner } ?? true
            if isOwners { outcome.reasons[index] = .absorbed }
        }
    }

    /// One episode may have been taken for two, when a document between was missed: its other half is what has a key
    /// of it and is nobody else's.
    private mutating func unite(_ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>) {
        let owners = owners(kind, key)
        let askers = KeyPlaces(incoming) { $0[keyPath: key] }
        for (index, evidence) in incoming.enumerated() {
            guard let id = outcome.ids[index], let key = evidence[keyPath: key], askers[key].count == 1,
                let other = owners.present(key) ?? owners.former(key), other != id,
                kind == .guid || !isAnotherIssue(evidence, other), claimed.insert(other).inserted
            else { continue }
            outcome.unions.append((from: other, into: id))
        }
    }
}
