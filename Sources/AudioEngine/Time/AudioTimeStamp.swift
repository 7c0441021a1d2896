// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A moment on the machine's monotonic clock, in nanoseconds: what `mach_absolute_time` is elsewhere.
///
/// ```swift
/// player.start(at: .hostTime(.fromNow(.seconds(2))))
/// ```
public struct HostTime: Sendable, Hashable, Comparable, BitwiseCopyable {
    public let nanoseconds: Int64

    @_noLocks @_noAllocation
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// This moment.
    public static var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The moment that much after this very one.
    public static func fromNow(_ delay: Duration) -> HostTime { now.advanced(by: delay) }

    /// The moment that much later; the last or first one there is where it lies beyond.
    public func advanced(by delay: Duration) -> HostTime {
        let (seconds, attoseconds) = delay.components
        // 292 years of nanoseconds are all that 64 bits hold.
        let whole = min(max(seconds, -9_223_372_036), 9_223_372_036) * 1_000_000_000
        return HostTime(nanoseconds: nanoseconds.addingClamped(whole).addingClamped(attoseconds / 1_000_000_000))
    }

    /// How much later than `other` this is.
    public func duration(since other: HostTime) -> Duration {
        .nanoseconds(nanoseconds.subtractingClamped(other.nanoseconds))
    }

    public static func < (one: HostTime, other: HostTime) -> Bool { one.nanoseconds < other.nanoseconds }
}

/// When a slice of sound begins: the number of its first frame on the timeline of the graph, and the moment at which
/// that frame is expected to be heard.
public struct AudioTimeStamp: Sendable, Hashable, BitwiseCopyable {
    public let sampleTime: Int64
    public let hostTime: HostTime

    @_noLocks @_noAllocation
    public init(sampleTime: Int64, hostTime: HostTime) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
    }

    /// The frame that is heard at `moment`, rounded to the nearest, at `sampleRate` frames a second.
    @_noLocks @_noAllocation
    public func sampleTime(at moment: HostTime, sampleRate: Int) -> Int64 {
        let later = moment.nanoseconds.subtractingClamped(hostTime.nanoseconds)
        let rate = Int64(sampleRate)
        // Apart, so that no product overflows at any rate there is.
        let (seconds, rest) = (later / 1_000_000_000, later % 1_000_000_000)
        let half: Int64 = rest < 0 ? -500_000_000 : 500_000_000
        let part = (rest &* rate &+ half) / 1_000_000_000
        return sampleTime.addingClamped(seconds &* rate).addingClamped(part)
    }

    /// When `frame` is heard, to the nanosecond before, at `sampleRate` frames a second.
    @_noLocks @_noAllocation
    public func hostTime(at frame: Int64, sampleRate: Int) -> HostTime {
        let later = frame.subtractingClamped(sampleTime)
        let rate = Int64(max(1, sampleRate))
        let (seconds, rest) = (later / rate, later % rate)
        // 292 years of nanoseconds are all that 64 bits hold.
        let whole = min(max(seconds, -9_223_372_036), 9_223_372_036) &* 1_000_000_000
        let moment = hostTime.nanoseconds.addingClamped(whole).addingClamped(rest &* 1_000_000_000 / rate)
        return HostTime(nanoseconds: moment)
    }

    /// The frame that `start` means to who learns of it in the slice that begins here.
    @_noLocks @_noAllocation
    public func sampleTime(of start: StartTime, sampleRate: Int) -> Int64 {
        switch start {
        case .nextRender: sampleTime
        case .sampleTime(let frame): frame
        case .hostTime(let moment): sampleTime(at: moment, sampleRate: sampleRate)
        }
    }
}
