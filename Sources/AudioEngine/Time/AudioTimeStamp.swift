// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A moment on the machine's monotonic clock, in nanoseconds: what `mach_absolute_time` is elsewhere.
public struct HostTime: Sendable, Hashable, Comparable, BitwiseCopyable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// This moment.
    public static var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The moment that much later.
    public func advanced(by delay: Duration) -> HostTime {
        let (seconds, attoseconds) = delay.components
        return HostTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// How much later than `other` this is.
    public func duration(since other: HostTime) -> Duration { .nanoseconds(nanoseconds - other.nanoseconds) }

    public static func < (one: HostTime, other: HostTime) -> Bool { one.nanoseconds < other.nanoseconds }
}

/// When a slice of sound begins: the number of its first frame on the timeline of the graph, and the moment at which
/// that frame is expected to be heard.
public struct AudioTimeStamp: Sendable, Hashable, BitwiseCopyable {
    public let sampleTime: Int64
    public let hostTime: HostTime

    public init(sampleTime: Int64, hostTime: HostTime) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
    }
}
