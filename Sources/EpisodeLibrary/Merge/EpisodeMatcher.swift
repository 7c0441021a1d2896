// SPDX-License-Identifier: GPL-3.0-or-later

/// Which episodes of a document are which of those known, by ordered evidence: an entry that has not changed, GUID,
/// then enclosure, then title, date and duration. Pure.
///
/// What occurs twice in the document, or twice among those known, is no evidence: hosts give one placeholder to many.
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

    private let known: [Known]
    private let byID: [Int64: EpisodeEvidence]
    private let incoming: [EpisodeEvidence]
    /// Evidence a known episode had in an earlier document.
    private let aliases: [Kind: [Int64: Int64]]
    private var outcome: Outcome
    private var claimed: Set<Int64> = []

    static func match(
        _ incoming: [EpisodeEvidence], with known: [Known], aliases: [Kind: [Int64: Int64]] = [:]
    ) -> Outcome {
        var matcher = EpisodeMatcher(incoming, known, aliases)
        matcher.matchUnchanged()
        matcher.matchKeys(.guid, \.guid, .guid)
        matcher.matchKeys(.enclosure, \.enclosure, .enclosure)
        matcher.matchTitles()
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

    /// One address for the audio of each day: where GUID and day differ, it is another episode.
    private func isAnotherIssue(_ evidence: EpisodeEvidence, _ id: Int64) -> Bool {
        byID[id].map { evidence.isAnotherIssue(than: $0) } ?? false
    }

    /// Whose each key is. What two have now names neither.
    private func owners(
        _ kind: Kind, _ key: KeyPath<EpisodeEvidence, Int64?>
    ) -> (present: [Int64: Int64], former: [Int64: Int64]) {
        let places = Self.places(known) { $0.evidence[keyPath: key] }
        let present = places.compactMapValues { $0.count == 1 ? known[$0[0]].id : nil }
        return (present, (aliases[kind] ?? [:]).filter { places[$0.key] == nil })
    }

    private mutating func matchTitles() {
        let free = known.filter { !claimed.contains($0.id) }
        let owners = Self.places(free) { $0.evidence.title }
        let askers = Self.places(Array(incoming.indices)) { outcome.ids[$0] == nil ? incoming[$0].title : nil }
        for (index, evidence) in incoming.enumerated() where outcome.ids[index] == nil {
            guard let title = evidence.title, let places = owners[title], let rivals = askers[title],
                places.count <= Self.mostAlike, rivals.count <= Self.mostAlike
            else { continue }
            let alike = places.map { free[$0] }.filter {
                evidence.resembles($0.evidence) && !claimed.contains($0.id)
            }
            let others = rivals.count { outcome.ids[$0] == nil && incoming[$0].resembles(evidence) }
            guard alike.count == 1, others == 1 else { continue }
            claim(alike[0].id, by: index, .title)
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
