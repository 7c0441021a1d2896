// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import TerminalInterface

@Suite("Dates in the past", .clock(.utc))
struct PastTimeTests {
    /// 2026-03-31T12:00:00Z.
    private static let now = UTCTime(secondsSince1970: 1_774_958_400)

    @Test(
        "Dates and ages are parsed",
        arguments: [
            ("2026-01-31", "2026-01-31T00:00:00Z"), ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("today", "2026-03-31T00:00:00Z"), ("Yesterday", "2026-03-30T00:00:00Z"), ("0d", "2026-03-31T12:00:00Z"),
            ("7d", "2026-03-24T12:00:00Z"), ("2w", "2026-03-17T12:00:00Z"), ("1m", "2026-02-28T00:00:00Z"),
            ("3m", "2025-12-31T00:00:00Z"), ("12m", "2025-03-31T00:00:00Z"), ("2W", "2026-03-17T12:00:00Z"),
        ])
    func read(text: String, expected: String) throws {
        #expect(try PastDate(parsing: text).time(before: Self.now).description == expected)
    }

    @Test(
        "Days begin at local midnight, also across a change to daylight saving time",
        arguments: [
            ("today", "2026-03-30T22:00:00Z"), ("yesterday", "2026-03-29T22:00:00Z"),
            ("2026-03-29", "2026-03-28T23:00:00Z"), ("3d", "2026-03-28T13:00:00Z"), ("1m", "2026-02-27T23:00:00Z"),
        ])
    func inBerlin(text: String, expected: String) throws {
        let time = try WallClock.$current.withValue(.berlin) { try PastDate(parsing: text).time(before: Self.now) }
        #expect(time.description == expected)
    }

    @Test(
        "An invalid date is refused",
        arguments: [
            "", "d", "7", "-7d", "7y", "2026-02-29", "2026-13-01", "2026-1", "tomorrow", "999999999d", "01/02/2026",
            "w2",
        ])
    func refused(text: String) {
        #expect(throws: ArgumentError.self) { try PastDate(parsing: text) }
    }

    @Test("Very large ages produce a time in the past", arguments: ["99999m", "99999w", "99999d"])
    func longAgo(text: String) throws {
        #expect(try PastDate(parsing: text).time(before: Self.now) < Self.now)
    }
}
