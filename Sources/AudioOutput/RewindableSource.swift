// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// Renders another source and can render its latest frames again, because a device that fails loses the frames that
/// it received but did not play.
///
/// A frame's number determines its slot in memory, so rewinding means asking for an earlier frame.
///
/// The latest frames can also be replaced: the source renders others in their place, which fade in over the old ones.
///
/// `@unchecked Sendable`: only its owner renders, under a lock.
final class RewindableSource: RenderSource, @unchecked Sendable {
    /// The duration of the buffered frames. The server received a quarter of a second; its sink may hold some more.
    static let memory = Duration.seconds(1)

    private let source: any RenderSource
    private let channels: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The frame that `source` renders next, and the oldest buffered frame.
    private(set) var end: Int64 = 0
    private(set) var start: Int64 = 0
    private var fade: SpliceFade
    private let longestFade: Int

    init(_ source: any RenderSource, format: AudioFormat) {
        self.source = source
        channels = format.channels
        capacity = max(1, Int(format.frames(in: Self.memory)))
        samples = .allocate(capacity: capacity * channels)
        samples.initialize(repeating: 0, count: capacity * channels)
        fade = SpliceFade(channels: channels)
        longestFade = Int(format.frames(in: SpliceFade.longest))
    }

    deinit { samples.deallocate() }

    /// Renders the buffered frames from `outputFrame` on first. A call for no frames drops those frames.
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard frames > 0 else {
            (start, end) = (min(start, outputFrame), outputFrame)
            fade.cancel()
            return source.render(into: output, frames: 0, at: outputFrame)
        }
        let old = max(0, min(frames, Int(end - outputFrame)))
        recall(old, from: outputFrame, into: output)
        guard old < frames else { return frames }
        let fresh = output + old * channels
        let rendered = source.render(into: fresh, frames: frames - old, at: end)
        fade.apply(to: fresh, frames: rendered)
        remember(fresh, frames: rendered)
        return old + rendered
    }

    /// Drops the frames from `frame` on; those that the source renders next take their place, and fade in over them.
    func replace(from frame: Int64) {
        let first = max(frame, start)
        guard first < end else { return }
        fade.begin(from: recalled(min(longestFade, Int(end - first)), from: first))
        end = first
    }

    /// Returns at most `frames` frames from `frame` on, faded out; an interruption continues with silence.
    func fadedOut(from frame: Int64, frames: Int) -> [Float] {
        let count = min(frames, longestFade, Int(end - frame))
        guard frame >= start, count > 0 else { return [] }
        var silence = [Float](repeating: 0, count: count * channels)
        var fade = SpliceFade(channels: channels)
        fade.begin(from: recalled(count, from: frame))
        silence.withUnsafeMutableBufferPointer { samples in
            if let target = samples.baseAddress { fade.apply(to: target, frames: count) }
        }
        return silence
    }

    /// Lets the next rendered frames fade in from silence.
    func fadeIn(frames: Int) {
        fade.begin(from: [Float](repeating: 0, count: min(frames, longestFade) * channels))
    }

    private func recalled(_ frames: Int, from frame: Int64) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames * channels) { samples, count in
            if let target = samples.baseAddress { recall(frames, from: frame, into: target) }
            count = frames * channels
        }
    }

    private func recall(_ frames: Int, from frame: Int64, into output: UnsafeMutablePointer<Float>) {
        var done = 0
        while done < frames {
            let slot = slot(of: frame + Int64(done))
            let part = min(frames - done, capacity - slot)
            (output + done * channels).update(from: samples + slot * channels, count: part * channels)
            done += part
        }
    }

    private func remember(_ fresh: UnsafePointer<Float>, frames: Int) {
        var done = max(0, frames - capacity)
        while done < frames {
            let slot = slot(of: end + Int64(done))
            let part = min(frames - done, capacity - slot)
            (samples + slot * channels).update(from: fresh + done * channels, count: part * channels)
            done += part
        }
        end += Int64(frames)
        start = max(start, end - Int64(capacity))
    }

    private func slot(of frame: Int64) -> Int { Int(frame % Int64(capacity)) }
}
