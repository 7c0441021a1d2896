// SPDX-License-Identifier: GPL-3.0-or-later

/// The time since it was made, on any clock: what pure parts are told instead of instants.
struct Stopwatch: Sendable {
    private let reading: @Sendable () -> Duration

    init(clock: some Clock<Duration>) {
        let start = clock.now
        reading = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { reading() }
}
