// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Podcasts

/// How the clocks on the wall go in some place: by how much they are ahead of UTC, and when.
struct WallClock: Sendable {
    private let ahead: @Sendable (UTCTime) -> Duration

    init(ahead: @escaping @Sendable (UTCTime) -> Duration) { self.ahead = ahead }

    static let utc = WallClock { _ in .zero }

    /// Where the listener is: what the environment's `TZ` says, else what the machine is set to.
    static let local = WallClock { time in
        var seconds = time_t(time.secondsSince1970)
        var fields = tm()
        // A year that the C library cannot count has no clocks.
        return localtime_r(&seconds, &fields) == nil ? .zero : .seconds(fields.tm_gmtoff)
    }

    /// By which times are written.
    @TaskLocal static var current = WallClock.local

    /// What the clocks show at a moment, as if they showed UTC.
    func reading(at time: UTCTime) -> UTCTime { time.later(by: ahead(time)) }

    /// The moment at which they show that. What they show twice is one of both; what they leap over is beside the leap.
    func time(reading: UTCTime) -> UTCTime {
        let near = reading.later(by: .zero - ahead(reading))
        return reading.later(by: .zero - ahead(near))
    }
}
