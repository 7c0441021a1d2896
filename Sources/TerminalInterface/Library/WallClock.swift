// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
package import Media

/// A time zone: its offset from UTC at each time.
struct WallClock: Sendable {
    private let ahead: @Sendable (UTCTime) -> Duration

    init(ahead: @escaping @Sendable (UTCTime) -> Duration) { self.ahead = ahead }

    static let utc = WallClock { _ in .zero }

    /// The local time zone: from `TZ` in the environment, otherwise from the machine.
    static let local = WallClock { time in
        var seconds = time_t(time.secondsSince1970)
        var fields = tm()
        // Years that the C library cannot represent get UTC.
        return localtime_r(&seconds, &fields) == nil ? .zero : .seconds(fields.tm_gmtoff)
    }

    /// The time zone of displayed times.
    @TaskLocal static var current = WallClock.local

    /// Returns the local time at a moment, represented as if it were UTC.
    func reading(at time: UTCTime) -> UTCTime { time.later(by: ahead(time)) }

    /// Returns the moment of a local time. An ambiguous time gives one of its two moments, a skipped time one next to
    /// the gap.
    func time(reading: UTCTime) -> UTCTime {
        let near = reading.later(by: .zero - ahead(reading))
        return reading.later(by: .zero - ahead(near))
    }
}

/// Times and days as text, in local time.
package enum DateText {
    /// Returns `2026-01-31`.
    package static func day(_ time: UTCTime) -> String { String(shown(time).prefix { $0 != "T" }) }

    /// Returns `2026-01-31 18:30`.
    static func minute(_ time: UTCTime) -> String {
        String(shown(time).prefix(16)).replacing("T", with: " ")
    }

    private static func shown(_ time: UTCTime) -> String { WallClock.current.reading(at: time).description }
}
