// SPDX-License-Identifier: GPL-3.0-or-later

/// The time since initialization on any clock, for code without I/O that uses durations instead of instants.
struct Stopwatch: Sendable {
    private let reading: @Sendable () -> Duration

    init(clock: some Clock<Duration>) {
        let start = clock.now
        reading = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { reading() }
}
