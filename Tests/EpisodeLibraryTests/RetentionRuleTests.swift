// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("RetentionRule")
struct RetentionRuleTests {
    private static let day: Int64 = 86_400
    private static let now: Int64 = 1000 * day

    /// The episodes 1 to 4 of podcast 1 and episode 5 of podcast 2, each published on the day of its number, with 10
    /// bytes; the second was finished two days ago, the fourth is protected.
    private static let holdings: [RetentionRule.StoredDownload] = (1...5).map { number in
        RetentionRule.StoredDownload(
            episode: number, podcast: number < 5 ? 1 : 2, sortedAt: number * day,
            finishedAt: number == 2 ? now - 2 * day : nil, bytes: 10, isProtected: number == 4)
    }

    private func removals(
        _ settings: [(SettingKey, String)], of podcast: Int64? = nil,
        _ holdings: [RetentionRule.StoredDownload] = holdings
    ) throws -> [RetentionRule.Removal] {
        let stage = try LibraryStage()
        let id = try stage.subscribe()
        #expect(id == 1)
        for (key, text) in settings {
            try stage.library.set(key, to: SettingValue(parsing: text, for: key), for: podcast)
        }
        return RetentionRule(try stage.library.allSettings()).removals(holdings, at: Self.now)
    }

    @Test(
        "Each setting removes the expected downloads, but none that is protected",
        arguments: [
            ([], []), ([(.keepNewest, "2")], [2, 1]), ([(.keepNewest, "0")], [3, 2, 1, 5]), ([(.keepDays, "2")], [2]),
            ([(.keepDays, "3")], []), ([(.keepDays, "0")], [2]), ([(.keepTotal, "50B")], []),
            ([(.keepTotal, "49B")], [2]), ([(.keepTotal, "30B")], [2, 1]), ([(.keepTotal, "1B")], [2, 1, 3, 5]),
            ([(.keepDays, "2"), (.keepNewest, "2")], [2, 1]), ([(.keepDays, "2"), (.keepTotal, "30B")], [2, 1]),
        ] as [([(SettingKey, String)], [Int64])])
    func settings(settings: [(SettingKey, String)], removed: [Int64]) throws {
        #expect(try removals(settings).map(\.episode) == removed)
    }

    @Test("A podcast's own setting overrides the general one")
    func own() throws {
        #expect(try removals([(.keepNewest, "0")], of: 1).map(\.episode) == [3, 2, 1])
    }

    @Test("Each removal names its setting")
    func because() throws {
        let removals = try removals([(.keepDays, "2"), (.keepNewest, "3"), (.keepTotal, "20B")])
        #expect(removals.map(\.because) == [.keepDays, .keepNewest, .keepTotal])
    }

    @Test("Extreme lengths do not trap")
    func hostile() throws {
        let huge = Self.holdings.map { holding in
            var huge = holding
            huge.bytes = .max
            return huge
        }
        #expect(try removals([(.keepTotal, "30B"), (.keepDays, "1")], huge).map(\.episode).contains(2))
    }
}
