// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Media

/// A source whose samples are a function of frame and channel, up to an end.
final class FunctionSignal: RenderSource {
    private let channels: Int
    private let end: Int64
    private let value: @Sendable (_ frame: Int64, _ channel: Int) -> Float

    init(channels: Int = 1, end: Int64 = .max, _ value: @escaping @Sendable (Int64, Int) -> Float) {
        self.channels = channels
        self.end = end
        self.value = value
    }

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let count = max(0, min(frames, Int(clamping: end - outputFrame)))
        // A `while` loop, since "for in" allocates in unoptimised builds, and the watchdog would report that.
        var index = 0
        while index < count * channels {
            output[index] = value(outputFrame + Int64(index / channels), index % channels)
            index += 1
        }
        return count
    }
}

/// Returns a source of one constant sample.
func constant(_ sample: Float, channels: Int = 1) -> FunctionSignal {
    FunctionSignal(channels: channels) { _, _ in sample }
}

/// Returns a source whose samples are the frame numbers.
func frameNumbers(channels: Int = 1, end: Int64 = .max) -> FunctionSignal {
    FunctionSignal(channels: channels, end: end) { frame, _ in Float(frame) }
}

/// Returns the samples that a source renders offline, interleaved.
func rendered(
    _ source: any RenderSource, _ frames: Int, format: AudioFormat, block: Int = 64, from start: Int64 = 0,
    events: EventThread? = nil
) -> [Float] {
    var renderer = OfflineRenderer(source, format: format, block: block, from: start, events: events)
    return samples(of: renderer.render(frames: frames))
}

func samples(of list: borrowing AudioBufferList) -> [Float] { samples(of: list.slice) }

func samples(of slice: AudioBufferSlice) -> [Float] {
    let start = slice.plane(0).assumingMemoryBound(to: Float.self)
    return Array(UnsafeBufferPointer(start: start, count: slice.frames * slice.format.channels))
}
