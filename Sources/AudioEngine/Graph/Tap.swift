// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media
import Synchronization

/// A source that renders another source unchanged and copies its frames to a receiver off the realtime thread.
/// Apple's counterpart is `installTap` of `AVAudioNode`.
///
/// ```swift
/// graph.output = Tap(mixer, format: graph.format, events: graph.events) { samples, frame in
///     spectrum.take(samples)
/// }
/// ```
public final class Tap: RenderSource {
    /// A closure that receives interleaved frames, valid until it returns, and the number of the first frame. The
    /// event thread calls it in order; where frames were dropped, the numbers jump.
    public typealias Receiver = @Sendable (AudioBufferSlice, _ frame: Int64) -> Void

    private let source: any RenderSource
    private let receiver: Receiver
    private let ring: PCMRing
    private let dropped = Atomic<Int>(0)
    /// The ring has one writer: the `render` call that holds `turn`.
    private let turn = RenderTurn()
    /// Dereferenced only by `drainEvents`, which `EventThread.drain` calls under a lock.
    private nonisolated(unsafe) let block: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - format: the rate and the channels of `source`.
    ///   - buffering: the duration of sound that may wait for the receiver. Frames that do not fit are dropped and
    ///     counted.
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

    /// The number of frames dropped because the buffer was full.
    public var droppedFrames: Int { dropped.load(ordering: .relaxed) }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        let rendered = source.render(into: output, frames: frames, at: outputFrame)
        copy(output, frames: min(max(0, rendered), max(0, frames)), from: outputFrame)
        return rendered
    }

    private func copy(_ samples: UnsafePointer<Float>, frames: Int, from frame: Int64) {
        guard frames > 0 else { return }
        // Equal to `[]`, but created without the metadata lookup for an empty set, which takes a lock.
        let none = FrameRun.Mark(rawValue: 0)
        let run = FrameRun(generation: 0, item: 0, sourceFrame: frame, frames: Int32(clamping: frames), mark: none)
        let all = UnsafeBufferPointer(start: samples, count: frames * ring.format.channels)
        if frames > ring.capacity || !ring.write(all, as: run) { dropped.add(frames, ordering: .relaxed) }
    }
}

extension Tap: EventSource {
    /// Passes the buffered frames to the receiver.
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
