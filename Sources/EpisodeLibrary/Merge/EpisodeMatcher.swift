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
    private let byID: [Int64: EpisodeEvidence]
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
        (self.incoming, self.known, self.aliases) = (incoming, known, aliases)
        byID = Dictionary(known.map { ($0.id, $0.evidence) }) { first, _ in first }
        outcome = Outcome(
            ids: [Int64?](repeating: nil, count: incoming.count),
            reasons: [Reason](repeating: .new, count: incoming.count))
    }

    private mutating func claim(_ id: Int64, by index: Int, _ reason: Reason) {
        outcome.ids[index] = id
        outcome.reasons[index] = reason
        claimed.insert(id)
    }

    /// The places at which each key stands.
    private static func places<Element>(
        _ elements: [Element], _ key: (Element) -> Int64?
    ) -> [Int64: [Int]] {
        var places: [Int64: [Int]] = [:]
        for (index, element) in elements.enumerated() {
            if let key = key(element) { places[key, default: []].append(index) }
        }
        return places
    }

    private mutating func matchUnchanged() {
        var owners = Self.places(known, \.evidence.content)
        for (index, evidence) in incoming.enumerated() {
            guard let content = evidence.content, let place = owners[content]?.first else { continue }
            owners[content]?.removeFirst()
            claim(known[place].id, by: index, .unchanged)
        }
    }

    /// By what the known ones have now, and then by what they had: a name that somebody has is nobody else's.
    private mutating func matchKeys(_ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>, _ reason: Reason) {
        let owners = owners(kind, key)
        let askers = Self.places(incoming) { $0[keyPath: key] }
        for names in [owners.present, owners.former] {
            for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
                guard let key = evidence[keyPath: key], askers[key]?.count == 1, let owner = names[key],
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
    ) -> (present: [Int64: Int64], former: [Int64: Int64]) {
        let places = Self.places(known) { $0.evidence[keyPath: key] }
        let present = places.compactMapValues { $0.count == 1 ? known[$0[0]].id : nil }
        return (present, (aliases[kind] ?? [:]).filter { places[$0.key] == nil })
    }

    /// By what nobody else has among those that are left.
    private mutating func matchTitles(_ key: (EpisodeEvidence) -> Int64?) {
        let free = known.filter { !claimed.contains($0.id) }
        let owners = Self.places(free) { key($0.evidence) }
        let askers = Self.places(Array(incoming.indices)) { outcome.ids[$0] == nil ? key(incoming[$0]) : nil }
        for (asker, places) in askers {
            guard places.count == 1, let owner = owners[asker], owner.count == 1 else { continue }
            let (index, match) = (places[0], free[owner[0]])
            if incoming[index].resembles(match.evidence, within: tolerance) { claim(match.id, by: index, .title) }
        }
    }

    /// By titles that no two episodes have, in the library or in the document.
    private mutating func matchDistinctTitles() {
        let shared = [known.map(\.evidence), incoming].flatMap { all in
            Self.places(all, \.title).filter { $0.value.count > 1 }.keys
        }
        let common = Set(shared)
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
            let owner = evidence.enclosure.flatMap { owners[$0] }
            return evidence.title != nil && evidence.title == owner.flatMap { byID[$0]?.title }
        }
    }

    private mutating func matchInOrder() {
        var owners = Self.places(known) { claimed.contains($0.id) ? nil : $0.evidence.guid }
        for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
            guard let guid = evidence.guid, let places = owners[guid], places.count <= Self.mostAlike,
                let first = places.firstIndex(where: { !evidence.contradicts(known[$0].evidence) })
            else { continue }
            claim(known[places[first]].id, by: index, .order)
            owners[guid]?.remove(at: first)
        }
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
        let askers = Self.places(incoming) { $0[keyPath: key] }
        for (index, evidence) in incoming.enumerated() {
            guard let id = outcome.ids[index], let key = evidence[keyPath: key], askers[key]?.count == 1,
                let other = owners.present[key] ?? owners.former[key], other != id,
                kind == .guid || !isAnotherIssue(evidence, other), claimed.insert(other).inserted
            else { continue }
            outcome.unions.append((from: other, into: id))
        }
    }
}
