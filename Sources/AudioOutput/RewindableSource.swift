// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// Renders another source and can render its latest frames again, because a device that fails loses the frames that
/// it received but did not play.
///
/// A frame's number determines its slot in memory, so rewinding means asking for an earlier frame.
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

    init(_ source: any RenderSource, format: AudioFormat) {
        self.source = source
        channels = format.channels
        capacity = max(1, Int(format.frames(in: Self.memory)))
        samples = .allocate(capacity: capacity * channels)
        samples.initialize(repeating: 0, count: capacity * channels)
    }

    deinit { samples.deallocate() }

    /// Renders the buffered frames from `outputFrame` on first. A call for no frames drops those frames.
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard frames > 0 else {
            (start, end) = (min(start, outputFrame), outputFrame)
            return source.render(into: output, frames: 0, at: outputFrame)
        }
        let old = max(0, min(frames, Int(end - outputFrame)))
        recall(old, from: outputFrame, into: output)
        guard old < frames else { return frames }
        let fresh = output + old * channels
        let rendered = source.render(into: fresh, frames: frames - old, at: end)
        remember(fresh, frames: rendered)
        return old + rendered
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
