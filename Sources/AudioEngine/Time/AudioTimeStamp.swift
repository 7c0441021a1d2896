// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A moment on the machine's monotonic clock, in nanoseconds. Apple's counterpart is `mach_absolute_time`.
///
/// ```swift
/// player.start(at: .hostTime(.fromNow(.seconds(2))))
/// ```
public struct HostTime: Sendable, Hashable, Comparable, BitwiseCopyable {
    public let nanoseconds: Int64

    @_noLocks @_noAllocation
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The current moment.
    public static var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the moment `delay` after the current one.
    public static func fromNow(_ delay: Duration) -> HostTime { now.advanced(by: delay) }

    /// Returns the moment `delay` later, clamped to the first and the last representable moment.
    public func advanced(by delay: Duration) -> HostTime {
        let (seconds, attoseconds) = delay.components
        // 64 bits hold only 292 years of nanoseconds.
        let whole = min(max(seconds, -9_223_372_036), 9_223_372_036) * 1_000_000_000
        return HostTime(nanoseconds: nanoseconds.addingClamped(whole).addingClamped(attoseconds / 1_000_000_000))
    }

    /// Returns the time from `other` to this moment.
    public func duration(since other: HostTime) -> Duration {
        .nanoseconds(nanoseconds.subtractingClamped(other.nanoseconds))
    }

    public static func < (one: HostTime, other: HostTime) -> Bool { one.nanoseconds < other.nanoseconds }
}

/// The time of a slice: the number of its first frame on the timeline of the graph, and the moment at which that
/// frame is expected to play.
public struct AudioTimeStamp: Sendable, Hashable, BitwiseCopyable {
    public let sampleTime: Int64
    public let hostTime: HostTime

    @_noLocks @_noAllocation
    public init(sampleTime: Int64, hostTime: HostTime) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
    }

    /// Returns the frame that plays at `moment`, rounded to the nearest, at `sampleRate` frames a second.
    @_noLocks @_noAllocation
    public func sampleTime(at moment: HostTime, sampleRate: Int) -> Int64 {
        let later = moment.nanoseconds.subtractingClamped(hostTime.nanoseconds)
        let rate = Int64(sampleRate)
        // Seconds and the rest are separate, so that no product overflows at any existing rate.
        let (seconds, rest) = (later / 1_000_000_000, later % 1_000_000_000)
        let half: Int64 = rest < 0 ? -500_000_000 : 500_000_000
        let part = (rest &* rate &+ half) / 1_000_000_000
        return sampleTime.addingClamped(seconds &* rate).addingClamped(part)
    }

    /// Returns the moment at which `frame` plays, truncated to a nanosecond, at `sampleRate` frames a second.
    @_noLocks @_noAllocation
    public func hostTime(at frame: Int64, sampleRate: Int) -> HostTime {
        let later = frame.subtractingClamped(sampleTime)
        let rate = Int64(max(1, sampleRate))
        let (seconds, rest) = (later / rate, later % rate)
        // 64 bits hold only 292 years of nanoseconds.
        let whole = min(max(seconds, -9_223_372_036), 9_223_372_036) &* 1_000_000_000
        let moment = hostTime.nanoseconds.addingClamped(whole).addingClamped(rest &* 1_000_000_000 / rate)
        return HostTime(nanoseconds: moment)
    }

    /// Returns the frame that `start` denotes if it becomes known in the slice that begins here.
    @_noLocks @_noAllocation
    public func sampleTime(of start: StartTime, sampleRate: Int) -> Int64 {
        switch start {
        case .nextRender: sampleTime
        case .sampleTime(let frame): frame
        case .hostTime(let moment): sampleTime(at: moment, sampleRate: sampleRate)
        }
    }
}
