// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A clock that relates the moments of the machine's clock to the frames of a graph's timeline. The realtime thread
/// and the owner of the device write it; any thread reads it.
///
/// ```swift
/// let moment = graph.clock.hostTime(at: 48_000)             // when that frame plays
/// let frame = graph.clock.sampleTime(at: .fromNow(.seconds(1)))
/// ```
/// While a device is stopped, moments are computed as if it resumed now.
public final class GraphClock: Sendable {
    public let format: AudioFormat
    private let latest = Atomic<WordPair>(WordPair(first: 0, second: 0))
    private let hasStarted = Atomic<Bool>(false)
    /// A frame and the moment at which it plays, as the device reports them.
    private let device = Atomic<WordPair>(WordPair(first: 0, second: 0))
    /// The number of frames that the device has played; `.max`, which means all rendered frames, without a device.
    private let heard = Atomic<Int64>(.max)

    /// The maximum difference between the slice's moment and the device's. If it is larger, the slice's moment is
    /// from before the device stopped.
    private static let tolerance: Duration = .milliseconds(5)

    public init(format: AudioFormat) { self.format = format }

    /// The slice rendered last; `nil` before the first.
    public var slice: AudioTimeStamp? {
        guard hasStarted.load(ordering: .acquiring) else { return nil }
        return AudioTimeStamp(latest.load(ordering: .acquiring))
    }

    /// Records the slice that is rendered now. Called on the realtime thread.
    @_noLocks @_noAllocation
    public func note(_ slice: AudioTimeStamp) {
        latest.store(slice.words, ordering: .releasing)
        hasStarted.store(true, ordering: .releasing)
    }

    /// Records that the device has played `frames` frames, and plays the frame of `line` at the moment of `line`.
    /// Called by the owner of the device.
    package func report(heard frames: Int64, line: AudioTimeStamp) {
        device.store(line.words, ordering: .releasing)
        heard.store(frames, ordering: .releasing)
    }

    /// Returns the frame that plays at `moment`, rounded to the nearest; `nil` before the first slice.
    public func sampleTime(at moment: HostTime) -> Int64? {
        reference?.sampleTime(at: moment, sampleRate: format.sampleRate)
    }

    /// Returns the moment at which the frame plays; `nil` before the first slice.
    public func hostTime(at frame: Int64) -> HostTime? {
        reference?.hostTime(at: frame, sampleRate: format.sampleRate)
    }

    /// Returns the number of frames that have played by `moment`, which is not later than now; `nil` before the first
    /// slice.
    func playedFrames(by moment: HostTime) -> Int64? {
        sampleTime(at: moment).map { min($0, heard.load(ordering: .acquiring)) }
    }

    /// Returns the frame that plays at `moment`; `nil` if only the next slice can determine it, because there was
    /// none yet or the device is stopped.
    func fixedSampleTime(at moment: HostTime) -> Int64? {
        guard let slice, reference == slice else { return nil }
        return slice.sampleTime(at: moment, sampleRate: format.sampleRate)
    }

    private var reference: AudioTimeStamp? {
        guard let slice, heard.load(ordering: .acquiring) < .max else { return self.slice }
        let line = AudioTimeStamp(device.load(ordering: .acquiring))
        let moment = line.hostTime(at: slice.sampleTime, sampleRate: format.sampleRate)
        let distance = moment.duration(since: slice.hostTime)
        return (Duration.zero - Self.tolerance...Self.tolerance).contains(distance) ? slice : line
    }

    /// Returns the frame that `start` denotes if it becomes known in the current slice. Called on the rendering
    /// thread.
    /// - Parameter next: the frame that is rendered next.
    @_noLocks @_noAllocation
    func sampleTime(of start: StartTime, next: Int64) -> Int64 {
        switch start {
        case .nextRender: return next
        case .sampleTime(let frame): return frame
        case .hostTime(let moment):
            guard hasStarted.load(ordering: .acquiring) else { return next }
            let slice = AudioTimeStamp(latest.load(ordering: .acquiring))
            return slice.sampleTime(at: moment, sampleRate: format.sampleRate)
        }
    }
}

extension AudioTimeStamp {
    @_noLocks @_noAllocation
    fileprivate init(_ words: WordPair) {
        self.init(
            sampleTime: Int64(bitPattern: UInt64(words.first)),
            hostTime: HostTime(nanoseconds: Int64(bitPattern: UInt64(words.second))))
    }

    fileprivate var words: WordPair {
        @_noLocks @_noAllocation get {
            WordPair(first: UInt(bitPattern: Int(sampleTime)), second: UInt(bitPattern: Int(hostTime.nanoseconds)))
        }
    }
}
