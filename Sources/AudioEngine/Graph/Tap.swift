// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media
import Synchronization

/// Copies what another source renders to a receiver off the realtime thread: what `installTap` of an `AVAudioNode` does
/// elsewhere. The source sounds the same with it and without.
///
/// ```swift
/// graph.output = Tap(mixer, format: graph.format, events: graph.events) { samples, frame in
///     spectrum.take(samples)
/// }
/// ```
public final class Tap: RenderSource {
    /// Given interleaved frames, valid until it returns, and the number of the first of them. Called on the event
    /// thread, in order; where frames were dropped, the numbers jump.
    public typealias Receiver = @Sendable (AudioBufferSlice, _ frame: Int64) -> Void

    private let source: any RenderSource
    private let receiver: Receiver
    private let ring: PCMRing
    private let dropped = Atomic<Int>(0)
    /// Whoever drains alone uses it.
    private nonisolated(unsafe) let block: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - format: the rate and the channels of what `source` delivers.
    ///   - buffering: how much may wait for the receiver; what comes while there is no room is dropped, and counted.
    public init(
        _ source: any RenderSource, format: AudioFormat, buffering: Duration = .seconds(1), events: EventThread,
        _ receiver: @escaping Receiver
    ) {
        let format = format.renderable
        self.source = source
        self.receiver = receiver
        let frames = min(max(64, Int(clamping: format.frames(in: buffering))), 1 << 28)
        ring = PCMRing(format: format, capacity: format.buffered(frames))
        block = .allocate(capacity: ring.capacity * format.channels)
        events.attach(self)
    }

    deinit { block.deallocate() }

    /// Frames that found no room.
    public var droppedFrames: Int { dropped.load(ordering: .relaxed) }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let rendered = source.render(into: output, frames: frames, at: outputFrame)
        copy(output, frames: min(max(0, rendered), max(0, frames)), from: outputFrame)
        return rendered
    }

    private func copy(_ samples: UnsafePointer<Float>, frames: Int, from frame: Int64) {
        guard frames > 0 else { return }
        // The mark that `[]` is, but made without looking up, under a lock, how a set is made of nothing.
        let none = FrameRun.Mark(rawValue: 0)
        let run = FrameRun(generation: 0, item: 0, sourceFrame: frame, frames: Int32(clamping: frames), mark: none)
        let all = UnsafeBufferPointer(start: samples, count: frames * ring.format.channels)
        if frames > ring.capacity || !ring.write(all, as: run) { dropped.add(frames, ordering: .relaxed) }
    }
}

extension Tap: EventSource {
    /// Hands on what has passed.
    public func drainEvents() {
        while case let frames = ring.render(into: block, frames: ring.capacity, at: 0), frames > 0 {
            var start = block
            while let run = ring.nextRendered()?.run {
                receiver(AudioBufferSlice(start, frames: Int(run.frames), format: ring.format), run.sourceFrame)
                start += Int(run.frames) * ring.format.channels
            }
        }
    }
}
