// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

/// Properties of merging. An entry is one episode in any order of the documents, as long as each published document
/// arrives, because each one shares a GUID or an address with the one before it. A GUID borrowed from another entry
/// counts as evidence, so such documents require the order of publishing. If documents are missing, an entry may
/// become two episodes; the state of both is kept, and the entries of the feed are listed once.
@Suite("Any history of a feed")
struct MergeHistoryTests {
    private static let seeds: UInt64 = LongTests.size(30, inFull: 3000)

    @Test("In the order of publishing each entry is one episode, however it changes")
    func inOrder() throws {
        try check(.borrowed, isWhole: true) { versions, _ in versions }
    }

    @Test("In any order each entry is one episode if no entry has another one's GUID")
    func inAnyOrder() throws {
        try check(.placeholder, isWhole: true) { versions, random in versions.shuffled(using: &random) }
    }

    @Test("With missing documents no state is lost or mixed up, and each entry is listed once")
    func withGaps() throws {
        try check(.placeholder, isWhole: false) { versions, random in
            versions.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        }
    }

    private func check(
        _ sharing: FeedHistory.SharedGUIDs, isWhole: Bool,
        _ arrange: ([[ParsedEpisode]], inout SeededGenerator) -> [[ParsedEpisode]]
    ) throws {
        for seed in 0..<Self.seeds {
            var random = SeededGenerator(seed: seed)
            let history = FeedHistory(versions: 7, sharing: sharing, &random)
            let last = try #require(history.versions.last)
            let stage = try LibraryStage()
            let podcast = try stage.subscribe()
            var listener = RandomListener(stage)
            for version in arrange(history.versions, &random) + [last] {
                try stage.merge(version, into: podcast)
                for _ in 0..<2 { try listener.touch(&random) }
            }
            try stage.merge(last, into: podcast)
            try listener.expectAll("seed \(seed)")
            try expect(stage, shows: last, beside: listener.touched, isWhole: isWhole, "seed \(seed)")
        }
    }

    private func expect(
        _ stage: LibraryStage, shows last: [ParsedEpisode], beside touched: Set<Int>, isWhole: Bool,
        _ comment: Comment
    ) throws {
        let shown = try stage.library.episodes(limit: 100).episodes
        let inFeed = try shown.filter { $0.leftAt == nil }.map { episode in
            let html = try stage.library.notes(of: episode.id).html
            return "\(episode.guid) \(episode.name) \(episode.enclosureURL ?? "-") \(html ?? "-")"
        }
        let expected = last.map {
            "\($0.guid ?? "") \($0.title ?? "") \($0.enclosures[0].url) \($0.contentHTML ?? "-")"
        }
        #expect(inFeed.sorted() == expected.sorted(), comment)
        let entries = shown.compactMap { FeedHistory.entry(at: $0.enclosureURL) }
        let there = Set(last.compactMap { FeedHistory.entry(at: $0.enclosures[0].url) })
        #expect(Set(entries) == there.union(touched), comment)
        if isWhole { #expect(Set(entries).count == entries.count, comment) }
    }
}
