// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// The level of a sound in one window of a `Meter`; 1 is full scale.
public struct MeterReading: Sendable, Hashable, BitwiseCopyable {
    /// The largest magnitude of a sample.
    public let peak: Float
    /// The root mean square of the samples.
    public let rms: Float

    public init(peak: Float, rms: Float) {
        self.peak = peak
        self.rms = rms
    }
}

/// A meter that measures sound on the realtime thread, window by window. Any thread reads the last complete window.
///
/// ```swift
/// let left = mixer.meter.reading(channel: 0)
/// needle.turn(to: left.rms)
/// ```
/// Windows follow each other without a gap, independent of the slices, so that one reading per window misses no peak.
public final class Meter: Sendable {
    public let channels: Int
    /// The number of PCM frames in a window.
    public let window: Int

    /// The sums of the current window. Dereferenced only by `measure`, whose callers hold a `RenderTurn`: the mixer,
    /// for itself and for its inputs, and `Metered`.
    private nonisolated(unsafe) let sums: UnsafeMutablePointer<MeterSum>
    /// The peak and the mean square of each channel in one word, so that a reader never sees half of an update. Any
    /// thread may use the atomic words, and their memory does not move.
    private nonisolated(unsafe) let readings: UnsafeMutablePointer<Atomic<UInt64>>
    private let framesInWindow = Atomic<Int>(0)

    /// - Parameter window: the duration of a window.
    public init(format: AudioFormat, window: Duration = .milliseconds(50)) {
        let format = format.renderable
        channels = format.channels
        self.window = max(1, Int(clamping: format.frames(in: window)))
        sums = .allocate(capacity: channels)
        sums.initialize(repeating: MeterSum(), count: channels)
        readings = .allocate(capacity: channels)
        for channel in 0..<channels { (readings + channel).initialize(to: Atomic(0)) }
    }

    deinit {
        sums.deallocate()
        readings.deinitialize(count: channels)
        readings.deallocate()
    }

    /// Returns the levels in the last complete window; zeros before the first window is complete, and for a channel
    /// that does not exist. Any thread may call it.
    public func reading(channel: Int) -> MeterReading {
        guard (0..<channels).contains(channel) else { return MeterReading(peak: 0, rms: 0) }
        let word = readings[channel].load(ordering: .relaxed)
        return MeterReading(
            peak: Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)),
            rms: Float(bitPattern: UInt32(truncatingIfNeeded: word)).squareRoot())
    }

    /// Measures rendered frames. Called on the realtime thread.
    @_noLocks @_noAllocation
    func measure(_ samples: UnsafePointer<Float>, frames: Int) {
        var done = 0
        while done < frames {
            let inWindow = framesInWindow.load(ordering: .relaxed)
            let count = min(frames &- done, window &- inWindow)
            sum(samples + done &* channels, frames: count)
            done &+= count
            framesInWindow.store(inWindow &+ count, ordering: .relaxed)
            if inWindow &+ count == window { publish() }
        }
    }

    @_noLocks @_noAllocation
    private func sum(_ samples: UnsafePointer<Float>, frames: Int) {
        if channels == 2 { return sumStereo(samples, frames: frames) }
        var channel = 0
        while channel < channels {
            sums[channel].add(samples + channel, stride: channels, frames: frames)
            channel &+= 1
        }
    }

    /// Sums both channels in one loop, so that neither sum waits for the other.
    @_noLocks @_noAllocation
    private func sumStereo(_ samples: UnsafePointer<Float>, frames: Int) {
        var (left, right, index) = (sums[0], sums[1], 0)
        while index < frames &* 2 {
            left.add(samples[index])
            right.add(samples[index &+ 1])
            index &+= 2
        }
        (sums[0], sums[1]) = (left, right)
    }

    @_noLocks @_noAllocation
    private func publish() {
        var channel = 0
        while channel < channels {
            let meanSquare = Float(sums[channel].squares / Double(window))
            let word = UInt64(sums[channel].peak.bitPattern) << 32 | UInt64(meanSquare.bitPattern)
            readings[channel].store(word, ordering: .relaxed)
            sums[channel] = MeterSum()
            channel &+= 1
        }
        framesInWindow.store(0, ordering: .relaxed)
    }
}

/// The sums of one channel in the current window.
struct MeterSum: BitwiseCopyable {
    private(set) var peak: Float = 0
    private(set) var squares: Double = 0

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    mutating func add(_ samples: UnsafePointer<Float>, stride: Int, frames: Int) {
        var (frame, index) = (0, 0)
        while frame < frames {
            add(samples[index])
            frame &+= 1
            index &+= stride
        }
    }

    @_noLocks @_noAllocation
    mutating func add(_ sample: Float) {
        let size = sample < 0 ? -sample : sample
        peak = size > peak ? size : peak
        squares += Double(sample) * Double(sample)
    }
}

/// A source that renders another source and measures it.
///
/// ```swift
/// let voice = Metered(player, format: graph.format)
/// try mixer.add(voice)
/// print(voice.meter.reading(channel: 0).peak)
/// ```
public final class Metered: RenderSource {
    public let meter: Meter
    private let source: any RenderSource
    private let turn = RenderTurn()

    /// - Parameter format: the format of `source`.
    public init(_ source: any RenderSource, format: AudioFormat, window: Duration = .milliseconds(50)) {
        self.source = source
        meter = Meter(format: format, window: window)
    }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        let rendered = source.render(into: output, frames: frames, at: outputFrame)
        meter.measure(output, frames: min(max(0, rendered), max(0, frames)))
        return rendered
    }
}
