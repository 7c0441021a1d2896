// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import EarshotTestSupport
import Media
import Synchronization

/// A sampler at 1000 frames a second without an event thread, and the ends that it reported.
final class SamplerFixture {
    final class Reports: Sendable {
        let ends = Mutex<[VoiceEnd]>([])
    }

    let reports = Reports()
    let events = EventThread(every: nil)
    let sampler: Sampler
    let channels: Int
    var graphFrame: Int64 = 0

    /// - Parameter fade: The fade length in frames.
    init(
        channels: Int = 2, voices: Int = 64, waiting: Int = 256, stealing: VoiceStealing = .oldest, fade: Int = 0,
        clock: GraphClock? = nil
    ) {
        self.channels = channels
        sampler = Sampler(
            format: AudioFormat(sampleRate: 1000, channels: channels), voices: voices, waiting: waiting,
            stealing: stealing, fade: .milliseconds(fade), clock: clock, events: events,
            onEnd: { [reports] end in reports.ends.withLock { $0.append(end) } })
    }

    /// Renders the next frames, interleaved.
    func render(_ frames: Int) -> [Float] {
        var output = [Float](repeating: .nan, count: max(1, frames * channels))
        let done = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { sampler.pull(into: $0, frames: frames, at: graphFrame) } ?? 0
        }
        graphFrame += Int64(done)
        return Array(output.prefix(done * channels))
    }

    func render(_ frames: Int, by slice: Int) -> [Float] {
        stride(from: 0, to: frames, by: slice).flatMap { render(min(slice, frames - $0)) }
    }

    /// Returns the voice ends since the last call.
    func ends() -> [VoiceEnd] {
        events.drain()
        return reports.ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }
}

/// Returns a list of interleaved Float32 samples.
func list(_ samples: [Float], channels: Int = 1, rate: Int = 1000) -> AudioBufferList {
    let list = AudioBufferList(
        format: AudioFormat(sampleRate: rate, channels: channels), frameCapacity: samples.count / channels)
    let memory = list.allFrames.plane(0).assumingMemoryBound(to: Float.self)
    for (index, sample) in samples.enumerated() { memory[index] = sample }
    return list
}

func sound(_ samples: [Float], channels: Int = 1, rate: Int = 1000) throws -> SampleBuffer {
    try SampleBuffer(list(samples, channels: channels, rate: rate))
}

/// Returns the samples 1, 2, 3 … in one channel.
func count(to last: Int) throws -> SampleBuffer { try sound((1...last).map(Float.init)) }
