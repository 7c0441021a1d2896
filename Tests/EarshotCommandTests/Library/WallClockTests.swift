// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import TerminalInterface

extension WallClock {
    /// The clock of Berlin in the spring of 2026: UTC+1, and UTC+2 from 2026-03-29T01:00:00Z.
    static let berlin = WallClock { $0.secondsSince1970 < 1_774_746_000 ? .seconds(3600) : .seconds(7200) }
}

/// Sets the clock with which the tests of a suite parse and print times, independent of the machine's time zone.
struct ClockTrait: SuiteTrait, TestTrait, TestScoping {
    let clock: WallClock
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await WallClock.$current.withValue(clock) { try await function() }
    }
}

extension Trait where Self == ClockTrait {
    static func clock(_ clock: WallClock) -> Self { ClockTrait(clock: clock) }
}

@Suite("The local clock")
struct WallClockTests {
    @Test(
        "A time is printed in local time and parsed back",
        arguments: [
            (1_774_745_999, "2026-03-29 01:59"), (1_774_746_000, "2026-03-29 03:00"),
            (1_774_999_800, "2026-04-01 01:30"),
        ])
    func shown(seconds: Int64, shown: String) {
        let time = UTCTime(secondsSince1970: seconds)
        #expect(WallClock.$current.withValue(.berlin) { DateText.minute(time) } == shown)
        #expect(WallClock.berlin.time(reading: WallClock.berlin.reading(at: time)) == time)
    }

    @Test("A local time skipped by daylight saving time maps to a time next to the change")
    func leap() throws {
        let reading = try #require(UTCTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
        let time = WallClock.berlin.time(reading: reading)
        #expect(["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"].contains(time.description))
    }

    @Test("A year out of the range of the system's clock is read as UTC", arguments: [Int64.min, .max])
    func ends(seconds: Int64) {
        let time = UTCTime(secondsSince1970: seconds)
        #expect(WallClock.local.reading(at: time) == time)
    }
}
