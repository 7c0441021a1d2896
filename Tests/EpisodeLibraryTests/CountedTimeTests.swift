// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import Testing

@Suite("The time that counts for deleting old rows")
struct CountedTimeTests {
    private static let day: Int64 = 86_400
    private let stage: LibraryStage

    init() throws { stage = try LibraryStage() }

    /// Returns the days counted until now, after refreshes on these days.
    private func counted(_ days: [Int64]) throws -> Int64 {
        var today: Int64 = 0
        try stage.library.countTime()
        for day in days {
            stage.pass(.seconds((day - today) * Self.day))
            try stage.library.countTime()
            today = day
        }
        return try (stage.library.countedTime().secondsSince1970 - LibraryStage.newYear) / Self.day
    }

    @Test("With a refresh each week, all time counts")
    func weekly() throws { #expect(try counted([7, 14, 21, 28]) == 28) }

    @Test("A longer pause does not count until later refreshes have made up for it")
    func pause() throws {
        #expect(try counted([7, 21]) == 7)
        #expect(try CountedTimeTests().counted([7, 21, 26, 31]) == 27)
    }

    @Test("A clock that is wrong once counts for nothing, ahead or back")
    func jump() throws {
        #expect(try counted([1, 5000, 2]) == 1)
        #expect(try CountedTimeTests().counted([-20_000, -19_999, 1, 2]) == 2)
    }

    @Test("An act while the clock is back is not older than the last refresh")
    func stamps() throws {
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        stage.pass(.seconds(-20_000 * Self.day))
        try stage.library.mark([1], played: true)
        #expect(try stage.library.acts(limit: 1)[0].at.secondsSince1970 >= LibraryStage.newYear)
    }
}
