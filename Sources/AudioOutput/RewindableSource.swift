// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// Renders another source, and can render once more what it rendered last: a device that breaks takes with it what
/// it was given and nobody has heard.
///
/// Where a frame lies in its memory follows from the frame's number, so going back is no more than asking for an
/// earlier frame.
///
/// `@unchecked Sendable`: its owner has a lock, under which it alone renders.
final class RewindableSource: RenderSource, @unchecked Sendable {
    /// How much it remembers. A server was given a quarter of a second; a sink of it may hold some more.
    static let memory = Duration.seconds(1)

    private let source: any RenderSource
    private let channels: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The frame that `source` renders next, and the oldest one remembered.
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

    /// What lies behind `outputFrame` and is remembered comes first. Asked for no frames, it forgets all of that.
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
