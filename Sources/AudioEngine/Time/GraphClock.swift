// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// Which moment of the machine's clock belongs to which frame of a graph's timeline: written by the realtime thread,
/// read by any.
///
/// ```swift
/// let heard = graph.clock.hostTime(at: 48_000)              // when that frame is heard
/// let frame = graph.clock.sampleTime(at: .fromNow(.seconds(1)))
/// ```
public final class GraphClock: Sendable {
    public let format: AudioFormat
    private let latest = Atomic<WordPair>(WordPair(first: 0, second: 0))
    private let hasStarted = Atomic<Bool>(false)

    public init(format: AudioFormat) { self.format = format }

    /// The slice rendered last; `nil` before the first.
    public var slice: AudioTimeStamp? {
        guard hasStarted.load(ordering: .acquiring) else { return nil }
        let pair = latest.load(ordering: .acquiring)
        return AudioTimeStamp(
            sampleTime: Int64(bitPattern: UInt64(pair.first)),
            hostTime: HostTime(nanoseconds: Int64(bitPattern: UInt64(pair.second))))
    }

    /// The realtime thread: this slice is rendered now.
    @_noLocks @_noAllocation
    public func note(_ slice: AudioTimeStamp) {
        let frame = UInt(bitPattern: Int(slice.sampleTime))
        let moment = UInt(bitPattern: Int(slice.hostTime.nanoseconds))
        latest.store(WordPair(first: frame, second: moment), ordering: .releasing)
        hasStarted.store(true, ordering: .releasing)
    }

    /// The frame that is heard at `moment`, rounded to the nearest; `nil` before the first slice.
    public func sampleTime(at moment: HostTime) -> Int64? {
        slice?.sampleTime(at: moment, sampleRate: format.sampleRate)
    }

    /// When the frame is heard; `nil` before the first slice.
    public func hostTime(at frame: Int64) -> HostTime? {
        slice?.hostTime(at: frame, sampleRate: format.sampleRate)
    }
}
