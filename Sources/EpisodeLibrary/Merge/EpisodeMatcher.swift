// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A matcher that pairs the episodes of a document with known episodes by ordered evidence: an unchanged entry, then
/// GUID, then enclosure, then title, date and duration. Pure.
///
/// A key that occurs twice in the document, or twice among the known episodes, is not evidence: hosts use one
/// placeholder for many. An entry with a new GUID and a new date is a new episode, even if it has the title or the
/// address of the previous one, because bulletins are published that way. Dates may differ only if all GUIDs of the
/// feed changed.
struct EpisodeMatcher {
    /// The evidence for a match.
    enum Reason: String, Sendable {
        case new, guid, enclosure, title
        /// The entry is unchanged.
        case unchanged
        /// The entry belongs to an episode that the listener merged into another one, which is also in the document.
        case absorbed
        /// Several episodes have this GUID, and nothing else distinguishes them: they are paired in order.
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
        /// The known episode for each incoming one, in order; `nil` if it is new.
        var ids: [Int64?]
        var reasons: [Reason]
        /// Pairs of known episodes that are the same one: `from` is merged into `into`.
        var unions: [(from: Int64, into: Int64)] = []

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.ids == right.ids && left.reasons == right.reasons
                && left.unions.elementsEqual(right.unions) { $0.from == $1.from && $0.into == $1.into }
        }
    }

    /// The limit on episodes with the same key: more of them prove nothing and take long to compare.
    private static let mostAlike = 64
    /// If more entries than this keep their address and title under other GUIDs, they are the known episodes and not
    /// new issues: few shows have more than one constant address.
    private static let mostConstantAddresses = 2

    private let known: [Known]
    private let byID: KnownEpisodes
    private let incoming: [EpisodeEvidence]
    /// The evidence that a known episode had in an earlier document.
    private let aliases: [Kind: [Int64: Int64]]
    private var outcome: Outcome
    private var claimed: Set<Int64> = []
    /// The number of seconds by which the dates of one episode under two GUIDs may differ.
    private var tolerance: Int64 = 0
    private lazy var ownersOfAudio = KeyIndex(known, \.evidence.enclosure)

    /// Matches the entries of a document with the known episodes.
    static func match(
        _ incoming: [EpisodeEvidence], with known: [Known], aliases: [Kind: [Int64: Int64]] = [:]
    ) -> Outcome {
        var matcher = EpisodeMatcher(incoming, known, aliases)
        matcher.matchUnchanged()
        matcher.matchKeys(.guid, \.guid, .guid)
        let keepsGUIDs = !matcher.claimed.isEmpty
        matcher.matchKeys(.enclosure, \.enclosure, .enclosure)
        // If other entries keep their GUIDs, another GUID and audio under a title that several have is a new episode.
        let common = keepsGUIDs && matcher.outcome.ids.contains(nil) ? matcher.commonTitles : []
        matcher.matchTitles { $0.title.map(common.contains) ?? false ? $0.titleDateAndAudio : $0.titleAndDate }
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
        let owners = KeyIndex(known, \.evidence.content)
        // Entries with equal content claim the known episodes in order.
        let alike = KeyIndex(incoming, \.content)
        for (index, evidence) in incoming.enumerated() {
            guard let content = evidence.content, case let places = owners[content], !places.isEmpty else { continue }
            let rank = alike[content].partitioningIndex { $0 >= index } - alike[content].startIndex
            if rank < places.count { claim(known[places[places.startIndex + rank]].id, by: index, .unchanged) }
        }
    }

    /// Matches by the current keys of the known episodes, then by former ones. A current key is never used as another
    /// episode's former key.
    private mutating func matchKeys(_ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>, _ reason: Reason) {
        let owners = owners(kind, key)
        let askers = KeyIndex(incoming) { $0[keyPath: key] }
        for name in [owners.present, owners.former] {
            for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
                guard let key = evidence[keyPath: key], askers[key].count == 1, let owner = name(key),
                    !claimed.contains(owner), identifies(kind, evidence, owner)
                else { continue }
                claim(owner, by: index, reason)
            }
        }
    }

    /// True if a key of the entry that belongs to a known episode is evidence for that episode.
    private mutating func identifies(_ kind: Kind, _ evidence: EpisodeEvidence, _ owner: Int64) -> Bool {
        switch kind {
        case .guid: !hasBorrowedGUID(evidence, of: owner)
        case .enclosure: !isAnotherIssue(evidence, owner)
        }
    }

    /// True if the entry has the audio and the date of another known episode than the owner of its GUID: the owner
    /// left the feed while it had the GUID of this entry.
    private mutating func hasBorrowedGUID(_ evidence: EpisodeEvidence, of owner: Int64) -> Bool {
        guard let other = byID[owner], evidence.hasOtherAudioAndDate(than: other),
            let same = evidence.enclosure.flatMap(ownersOfAudio.only)
        else { return false }
        return known[same].evidence.published == evidence.published
    }

    /// True if the entry is another issue at the same address: both GUID and date differ.
    private func isAnotherIssue(_ evidence: EpisodeEvidence, _ id: Int64) -> Bool {
        byID[id].map { evidence.isAnotherIssue(than: $0, beyond: tolerance) } ?? false
    }

    /// Returns the owner of each key. A key that two known episodes have now identifies neither.
    private func owners(
        _ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>
    ) -> (present: (Int64) -> Int64?, former: (Int64) -> Int64?) {
        let places = KeyIndex(known) { $0.evidence[keyPath: key] }
        let (known, aliases) = (known, aliases[kind] ?? [:])
        return ({ key in places.only(key).map { known[$0].id } }, { places[$0].isEmpty ? aliases[$0] : nil })
    }

    /// Matches by keys that are unique among the unmatched episodes.
    private mutating func matchTitles(_ key: (EpisodeEvidence) -> Int64?) {
        let owners = KeyIndex(known) { claimed.contains($0.id) ? nil : key($0.evidence) }
        let askers = KeyIndex(incoming.indices) { outcome.ids[$0] == nil ? key(incoming[$0]) : nil }
        askers.forEachOnly { asker, index in
            guard let match = owners.only(asker).map({ known[$0] }) else { return }
            if incoming[index].resembles(match.evidence, within: tolerance) { claim(match.id, by: index, .title) }
        }
    }

    /// The titles that several episodes have, in the library or in the document.
    private var commonTitles: Set<Int64> {
        KeyIndex(known, \.evidence.title).shared.union(KeyIndex(incoming, \.title).shared)
    }

    /// Matches by titles that are unique in the library and in the document.
    private mutating func matchDistinctTitles() {
        let common = commonTitles
        let title = { (evidence: EpisodeEvidence) in evidence.title.flatMap { common.contains($0) ? nil : $0 } }
        if hasCommonShift(title) { matchTitles(title) }
    }

    /// True if the dates of most pairs differ by one of two values, as those of two time zones with and without
    /// daylight saving time do. The dates of new issues with old titles differ by chance.
    private func hasCommonShift(_ key: (EpisodeEvidence) -> Int64?) -> Bool {
        let owners = KeyIndex(known) { claimed.contains($0.id) ? nil : key($0.evidence) }
        var counts: [Int64: Int] = [:]
        for (index, evidence) in incoming.enumerated() {
            let claimed = outcome.ids[index].flatMap { byID[$0] }
            guard let other = claimed ?? key(evidence).flatMap(owners.only).map({ known[$0].evidence }),
                let date = evidence.published, let otherDate = other.published
            else { continue }
            counts[date &- otherDate, default: 0] += 1
        }
        let common = counts.values.sorted(by: >).prefix(2)
        return common.first ?? 0 > 1 && common.reduce(0, +) * 2 > counts.values.reduce(0, +)
    }

    // MARK: Feeds whose GUIDs all changed

    /// True if a document with only unknown GUIDs contains the known episodes: at least two have the same address or
    /// title with the same date, or the document covers the same time (the issues of a bulletin follow each other),
    /// or more than `mostConstantAddresses` entries have known addresses and titles.
    private var isRenamed: Bool {
        guard incoming.count > 1 else { return false }
        return claimed.count > 1 || coversSameTime || countOfKnownAudio > Self.mostConstantAddresses
    }

    private var coversSameTime: Bool {
        let (theirs, ours) = (incoming.compactMap(\.published), known.compactMap(\.evidence.published))
        guard let first = theirs.min(), let last = theirs.max(), let oldest = ours.min(), let newest = ours.max() else {
            return false
        }
        return first < newest && oldest < last
    }

    private var countOfKnownAudio: Int {
        let owners = owners(.enclosure, \.enclosure).present
        return incoming.count { evidence in
            let owner = evidence.enclosure.flatMap(owners)
            return evidence.title != nil && evidence.title == owner.flatMap { byID[$0]?.title }
        }
    }

    private mutating func matchInOrder() {
        let owners = KeyIndex(known) { claimed.contains($0.id) ? nil : $0.evidence.guid }
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

    /// Marks entries whose keys are aliases of an episode that another entry has already claimed.
    private mutating func absorb() {
        for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
            guard let guid = evidence.guid, let owner = aliases[.guid]?[guid], claimed.contains(owner) else { continue }
            let audio = evidence.enclosure
            let isOwners = audio.map { $0 == byID[owner]?.enclosure || aliases[.enclosure]?[$0] == owner } ?? true
            if isOwners { outcome.reasons[index] = .absorbed }
        }
    }

    /// Unites known episodes that are the same one, which happens if an intermediate document was missed: the second
    /// is the unclaimed owner of one of the entry's keys.
    private mutating func unite(_ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>) {
        let owners = owners(kind, key)
        let askers = KeyIndex(incoming) { $0[keyPath: key] }
        for (index, evidence) in incoming.enumerated() {
            guard let id = outcome.ids[index], let key = evidence[keyPath: key], askers[key].count == 1,
                let other = owners.present(key) ?? owners.former(key), other != id,
                identifies(kind, evidence, other), claimed.insert(other).inserted
            else { continue }
            outcome.unions.append((from: other, into: id))
        }
    }
}

/// The episodes of a podcast, accessible by number.
struct KnownEpisodes {
    /// The episodes in ascending order of their numbers.
    let list: [EpisodeMatcher.Known]

    init(_ episodes: [EpisodeMatcher.Known]) {
        let isSorted = zip(episodes, episodes.dropFirst()).allSatisfy { $0.id < $1.id }
        list = isSorted ? episodes : episodes.sorted { $0.id < $1.id }
    }

    subscript(id: Int64) -> EpisodeEvidence? {
        let place = list.partitioningIndex { $0.id >= id }
        return place < list.count && list[place].id == id ? list[place].evidence : nil
    }
}
