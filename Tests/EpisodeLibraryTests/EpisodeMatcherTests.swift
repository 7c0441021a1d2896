// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import EpisodeLibrary

@Suite("Matching of episodes")
struct EpisodeMatcherTests {
    /// Returns an episode from a short notation: GUID, audio, title; a dot means that the field is missing. Dates are
    /// in days, durations in minutes.
    private static func evidence(_ text: String, day: Int64 = 1, minutes: Int64? = 30) -> EpisodeEvidence {
        let keys = text.split(separator: " ").map { $0 == "." ? nil : ContentDigest.of(String($0)) }
        return EpisodeEvidence(
            guid: keys[0], enclosure: keys[1], title: keys[2], published: day * 86_400,
            duration: minutes.map { $0 * 60_000_000 })
    }

    private static func known(_ texts: [String]) -> [EpisodeMatcher.Known] {
        texts.enumerated().map { .init(id: Int64($0.offset + 1), evidence: evidence($0.element)) }
    }

    @Test(
        "The best evidence decides, and a value that occurs twice is ignored",
        arguments: [
            // Known episodes, incoming episodes, the matched numbers, the reasons.
            (["g1 a1 t1"], ["g1 a1 t1"], [1], ["guid"]),
            (["g1 a1 t1"], ["g1 a9 t9"], [1], ["guid"]),
            (["g1 a1 t1"], ["g2 a1 t9"], [1], ["enclosure"]),
            (["g1 a1 t1"], ["g2 a2 t1"], [1], ["title"]),
            (["g1 a1 t1"], ["g2 a2 t2"], [nil], ["new"]),
            (["g1 a1 t1", "g2 a2 t2"], ["g2 a1 t1", "g1 a2 t2"], [2, 1], ["guid", "guid"]),
            ([". a1 t1"], [". a1 t1"], [1], ["enclosure"]),
            ([". . t1"], [". . t1"], [1], ["title"]),
            // An audio address that all episodes share is not evidence.
            (["g1 ad t1", "g2 ad t2"], ["g8 ad t8", "g9 ad t9"], [nil, nil], ["new", "new"]),
            // A GUID that all episodes share: audio first, then title, then the order.
            (["g a1 t1", "g a2 t2"], ["g a2 t2", "g a1 t1"], [2, 1], ["enclosure", "enclosure"]),
            (["g a1 t1", "g a2 t2"], ["g a8 t2", "g a9 t1"], [2, 1], ["title", "title"]),
            (["g a1 news", "g a2 news"], ["g a8 news", "g a9 news"], [1, 2], ["order", "order"]),
            (["g a1 ."], ["g a8 t8", "g a9 t9"], [1, nil], ["order", "new"]),
            // Such a GUID alone does not match an episode with another audio and title: the feed lists only its
            // newest.
            (["g a1 t1", "g a2 t2"], ["g a3 t3", "g a2 t2"], [nil, 2], ["new", "enclosure"]),
            (["g a1 t1"], ["g a8 t8", "g a9 t9"], [nil, nil], ["new", "new"]),
            // A title that two episodes share is not evidence.
            (["g1 a1 news", "g2 a2 news"], ["g8 a8 news"], [nil], ["new"]),
            (["g1 a1 news"], ["g8 a8 news", "g9 a9 news"], [nil, nil], ["new", "new"]),
            ([], ["g1 a1 t1"], [nil], ["new"]),
            (["g1 a1 t1"], [], [], []),
        ] as [([String], [String], [Int64?], [String])])
    func table(known: [String], incoming: [String], ids: [Int64?], reasons: [String]) {
        let outcome = EpisodeMatcher.match(incoming.map { Self.evidence($0) }, with: Self.known(known))
        #expect(outcome.ids == ids)
        #expect(outcome.reasons.map(\.rawValue) == reasons)
        #expect(outcome.unions.isEmpty)
    }

    @Test("A title counts with an equal date and a similar duration", arguments: [
        (1, 30, true), (2, 30, false), (3, 30, false), (1, 39, true), (1, 41, false), (1, nil, true),
    ] as [(Int64, Int64?, Bool)])
    func resemblance(day: Int64, minutes: Int64?, isSame: Bool) {
        let incoming = Self.evidence("g2 a2 t1", day: day, minutes: minutes)
        let outcome = EpisodeMatcher.match([incoming], with: Self.known(["g1 a1 t1"]))
        #expect((outcome.ids == [1]) == isSame)
    }

    @Test(
        "Another GUID at the same address is another issue only if the date differs too",
        arguments: [(1, "a1", "t1", true), (2, "a1", "t1", false), (2, "a1", "t9", false), (2, "a9", "t1", false)]
            as [(Int64, String, String, Bool)])
    func issues(day: Int64, audio: String, title: String, isSame: Bool) {
        let incoming = Self.evidence("g2 \(audio) \(title)", day: day)
        let outcome = EpisodeMatcher.match([incoming], with: Self.known(["g1 a1 t1"]))
        #expect((outcome.ids == [1]) == isSame)
    }

    @Test("If only the GUID of a reposted episode changes, it is not the episode of the earlier date")
    func repost() {
        let known = [
            EpisodeMatcher.Known(id: 1, evidence: Self.evidence("g1 a1 t1", day: 1)),
            EpisodeMatcher.Known(id: 2, evidence: Self.evidence("g2 a2 t2", day: 2)),
            EpisodeMatcher.Known(id: 3, evidence: Self.evidence("g3 a2 t2", day: 3)),
        ]
        let incoming = [Self.evidence("g9 a2 t2", day: 3), Self.evidence("g1 a1 t1", day: 1)]
        let outcome = EpisodeMatcher.match(incoming, with: known)
        #expect(outcome.ids == [3, 1] && outcome.unions.isEmpty)
    }

    @Test("Any number of episodes with one title are distinguished by their dates")
    func manyAlike() {
        let known = (1...200).map {
            EpisodeMatcher.Known(id: $0, evidence: Self.evidence("g\($0) a\($0) news", day: $0))
        }
        let incoming = (1...200).map { Self.evidence("h\($0) b\($0) news", day: Int64($0)) }
        #expect(EpisodeMatcher.match(incoming, with: known).ids == (1...200).map { Int64($0) })
    }

    @Test("Earlier identifiers of an episode are evidence too")
    func aliases() {
        let old = ContentDigest.of("old") ?? 0
        let outcome = EpisodeMatcher.match(
            [Self.evidence("old a9 t9")], with: Self.known(["g1 a1 t1"]), aliases: [.guid: [old: 1]])
        #expect(outcome.ids == [1])
        #expect(outcome.reasons == [.guid])
    }

    @Test("A GUID that an episode took along when it left the feed does not match its first owner to that episode")
    func borrowedGUID() {
        let known = [
            EpisodeMatcher.Known(id: 1, evidence: Self.evidence("g2 a1 t1", day: 1)),
            EpisodeMatcher.Known(id: 2, evidence: Self.evidence("g3 a2 t2", day: 2)),
        ]
        let outcome = EpisodeMatcher.match([Self.evidence("g2 a2 t9", day: 2)], with: known)
        #expect(outcome.ids == [2])
        #expect(outcome.unions.isEmpty)
    }

    @Test("An episode that was known as two is merged")
    func unions() {
        let outcome = EpisodeMatcher.match([Self.evidence("g1 a2 t1")], with: Self.known(["g1 a1 t1", "g2 a2 t2"]))
        #expect(outcome.ids == [1])
        #expect(outcome.unions.map(\.from) == [2])
        #expect(outcome.unions.map(\.into) == [1])
    }

    @Test("An identifier that two episodes shared does not merge them")
    func sharedName() {
        let known = Self.known(["g a1 t1", "g a2 t2"])
        let outcome = EpisodeMatcher.match([Self.evidence("g a1 t1")], with: known)
        #expect(outcome.ids == [1] && outcome.unions.isEmpty)
    }

    @Test("A current identifier takes precedence over a former one of another episode", arguments: [false, true])
    func presentName(isReversed: Bool) {
        let old = ContentDigest.of("old") ?? 0
        let document = [Self.evidence("old a9 t9"), Self.evidence("g1 a8 t8")]
        let outcome = EpisodeMatcher.match(
            isReversed ? document.reversed() : document, with: Self.known(["g1 a1 t1"]), aliases: [.guid: [old: 1]])
        #expect(outcome.ids == (isReversed ? [1, nil] : [nil, 1]))
    }

    @Test("No episode matches two entries of a document", arguments: 0..<200 as Range<UInt64>)
    func injective(seed: UInt64) {
        var random = ShuffleOrder(seed: seed)
        let some = { (count: Int) in
            (0..<count).map { _ in
                ["g", "a", "t"].map { letter in
                    let number = UInt64.random(in: 0..<5, using: &random)
                    return number == 0 ? "." : "\(letter)\(number)"
                }.joined(separator: " ")
            }
        }
        let (known, incoming) = (Self.known(some(6)), some(6).map { Self.evidence($0) })
        let outcome = EpisodeMatcher.match(incoming, with: known)
        let ids = outcome.ids.compactMap { $0 }
        #expect(Set(ids).count == ids.count)
        #expect(Set(outcome.unions.map(\.from)).isDisjoint(with: ids))
        #expect(Set(outcome.unions.map(\.into)).isSubset(of: ids))
    }
}
