// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

/// Feeds of news bulletins. `LibraryStage` numbers episodes by days; these tests use seconds.
@Suite("Successive issues")
struct DailyIssueTests {
    private static let hour: Int64 = 3600
    /// The intervals between issues in seconds, from one second to two days.
    static let steps: [Int64] = [1, 60, 900, hour, 12 * hour, 23 * hour, 24 * hour, 25 * hour, 48 * hour]

    private static func issue(
        _ number: Int, every step: Int64, title: String? = nil, guid: String? = nil, url: String? = nil
    ) -> ParsedEpisode {
        var issue = ParsedEpisode.numbered(
            number, guid: guid, title: title ?? "News in 100 seconds", url: url, minutes: 2)
        issue.published = UTCTime(secondsSince1970: LibraryStage.newYear + Int64(number) * step)
        return issue
    }

    /// Merges documents one after the other, and finishes each new episode.
    private func play(_ documents: [[ParsedEpisode]]) throws -> [Int] {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        return try documents.map { document in
            let new = try stage.merge(document, into: podcast).new
            for id in new { try stage.library.finish(id, heard: nil) }
            return new.count
        }
    }

    @Test("Each day's issue at one constant address is a new episode, and the earlier ones stay played")
    func bulletins() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let url = "https://host.example/latest.mp3"
        var ids: Set<Int64> = []
        for day in 1...19 {
            let new = try stage.merge([.numbered(day, url: url)], into: podcast).new
            #expect(new.count == 1)
            for id in new { try stage.library.finish(id, heard: nil) }
            ids.formUnion(new)
        }
        #expect(ids.count == 19)
        #expect(try stage.library.history(limit: 20).count == 19)
    }

    @Test("A feed with only the newest issue adds a new episode each time, at any interval", arguments: steps)
    func newestOnly(step: Int64) throws {
        #expect(try play((1...6).map { [Self.issue($0, every: step)] }) == [1, 1, 1, 1, 1, 1])
    }

    @Test("One constant address adds a new episode with each new GUID and date", arguments: steps)
    func constantAddress(step: Int64) throws {
        let url = "https://host.example/latest.mp3"
        #expect(try play((1...6).map { [Self.issue($0, every: step, url: url)] }) == [1, 1, 1, 1, 1, 1])
        let titled = (1...6).map { [Self.issue($0, every: step, title: "News \($0)", url: url)] }
        #expect(try play(titled) == [1, 1, 1, 1, 1, 1])
    }

    @Test("In a rolling window each issue is a new episode", arguments: steps)
    func window(step: Int64) throws {
        let documents = (5...12).map { last in (last - 4...last).reversed().map { Self.issue($0, every: step) } }
        #expect(try play(documents) == [5, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test("A window that has changed entirely since the last refresh adds only new episodes", arguments: steps)
    func turnover(step: Int64) throws {
        let documents = [5, 10, 15].map { last in (last - 4...last).reversed().map { Self.issue($0, every: step) } }
        #expect(try play(documents) == [5, 5, 5])
    }

    @Test("Titles that repeat each day identify new episodes")
    func rotation() throws {
        let titles = ["Morning", "Noon", "Evening"]
        let document = { (day: Int) in
            (0..<3).reversed().map { Self.issue(day * 3 + $0, every: 8 * Self.hour, title: titles[$0]) }
        }
        #expect(try play((0..<4).map(document)) == [3, 3, 3, 3])
    }

    @Test("Two addresses, one for the morning's and one for the evening's issue, add new episodes each day")
    func twoAddresses() throws {
        let document = { (day: Int) in
            [1, 0].map { Self.issue(day * 2 + $0, every: 12 * Self.hour, url: "https://host.example/\($0).mp3") }
        }
        #expect(try play((0..<4).map(document)) == [2, 2, 2, 2])
    }

    @Test("Documents of a rolling window in any order add each issue once", arguments: 0..<20 as Range<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let documents = (5...12).map { last in (last - 4...last).reversed().map { Self.issue($0, every: Self.hour) } }
        #expect(try play(documents.shuffled(using: &random)).reduce(0, +) == 12)
        let single = (1...8).map { [Self.issue($0, every: Self.hour)] }
        #expect(try play(single.shuffled(using: &random)).reduce(0, +) == 8)
    }
}
