// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// Which moment of the machine's clock belongs to which frame of a graph's timeline: written by the realtime thread and
/// by the owner of the device, read by any.
///
/// ```swift
/// let heard = graph.clock.hostTime(at: 48_000)              // when that frame is heard
/// let frame = graph.clock.sampleTime(at: .fromNow(.seconds(1)))
/// ```
/// While a device stands still, moments are counted as if it went on now.
public final class GraphClock: Sendable {
    public let format: AudioFormat
    private let latest = Atomic<WordPair>(WordPair(first: 0, second: 0))
    private let hasStarted = Atomic<Bool>(false)
    /// A frame and the moment it is heard at, as the device says.
    private let device = Atomic<WordPair>(WordPair(first: 0, second: 0))
    /// Frames that the device has played; all that were rendered, where there is none.
    private let heard = Atomic<Int64>(.max)

    /// Farther apart than this, a slice's moment was given before the device stood still.
    private static let tolerance: Duration = .milliseconds(5)

    public init(format: AudioFormat) { self.format = format }

    /// The slice rendered last; `nil` before the first.
    public var slice: AudioTimeStamp? {
        guard hasStarted.load(ordering: .acquiring) else { return nil }
        return AudioTimeStamp(latest.load(ordering: .acquiring))
    }

    /// The realtime thread: this slice is rendered now.
    @_noLocks @_noAllocation
    public func note(_ slice: AudioTimeStamp) {
        latest.store(slice.words, ordering: .releasing)
        hasStarted.store(true, ordering: .releasing)
    }

    /// The owner of the device: it has played so many frames, and plays the one of `line` at its moment.
    package func report(heard frames: Int64, line: AudioTimeStamp) {
        device.store(line.words, ordering: .releasing)
        heard.store(frames, ordering: .releasing)
    }

    /// The frame that is heard at `moment`, rounded to the nearest; `nil` before the first slice.
    public func sampleTime(at moment: HostTime) -> Int64? {
        reference?.sampleTime(at: moment, sampleRate: format.sampleRate)
    }

    /// When the frame is heard; `nil` before the first slice.
    public func hostTime(at frame: Int64) -> HostTime? {
        reference?.hostTime(at: frame, sampleRate: format.sampleRate)
    }

    /// How many frames were heard by `moment`, which is not later than now; `nil` before the first slice.
    func heardFrames(by moment: HostTime) -> Int64? {
        sampleTime(at: moment).map { min($0, heard.load(ordering: .acquiring)) }
    }

    /// The frame that is heard at `moment`; `nil` where only the next slice can say that: there was none, or the device
    /// stands still.
    func settledSampleTime(at moment: HostTime) -> Int64? {
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

    /// The rendering thread, in a slice: the frame that `start` means to who learns of it now.
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
