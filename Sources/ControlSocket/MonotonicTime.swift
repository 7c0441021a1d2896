// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The clock of `at` in events: CLOCK_MONOTONIC, which other programs can read as well.
public enum MonotonicTime {
    /// The time since the start of the system, without time asleep.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
