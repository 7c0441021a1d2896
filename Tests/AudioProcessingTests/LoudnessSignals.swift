// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Media

/// Test signals for loudness, as interleaved samples.
enum LoudnessSignals {
    /// Returns a sine of `frequency` Hz with a peak of `level` dBFS in all channels.
    static func tone(
        _ level: Double, seconds: Double, sampleRate: Int = 8000, channels: Int = 2, frequency: Double = 1000
    ) -> [Float] {
        let amplitude = pow(10, level / 20)
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        var samples: [Float] = []
        samples.reserveCapacity(Int(seconds * Double(sampleRate)) * channels)
        for frame in 0..<Int(seconds * Double(sampleRate)) {
            let sample = Float(amplitude * sin(step * Double(frame)))
            for _ in 0..<channels { samples.append(sample) }
        }
        return samples
    }

    /// Returns uniform noise in −amplitude...amplitude.
    static func noise(_ count: Int, amplitude: Float = 0.5, seed: UInt64 = 1) -> [Float] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 23) - 1) * amplitude
        }
    }

    /// Returns samples of one channel, repeated in each of `channels`.
    static func repeated(_ samples: [Float], channels: Int) -> [Float] {
        samples.flatMap { Array(repeating: $0, count: channels) }
    }
}

extension LoudnessMeter {
    /// Measures samples, divided into blocks of the given numbers of samples in turn.
    mutating func measure(_ samples: [Float], blocks: [Int] = [.max]) {
        var rest = samples[...]
        var turn = 0
        while !rest.isEmpty {
            let block = rest.prefix(blocks[turn % blocks.count])
            block.withUnsafeBufferPointer { measure($0) }
            rest = rest.dropFirst(block.count)
            turn += 1
        }
    }

    /// Returns the result for samples.
    static func histogram(
        _ samples: [Float], sampleRate: Int = 8000, channels: Int = 2, blocks: [Int] = [.max], truePeak: Bool = false
    ) -> LoudnessHistogram {
        var meter = LoudnessMeter(
            format: AudioFormat(sampleRate: sampleRate, channels: channels), measuresTruePeak: truePeak)
        meter.measure(samples, blocks: blocks)
        return meter.histogram
    }
}

extension MappedAudio {
    /// Audio that represents itself, from source frame `first`.
    init(_ samples: [Float], channels: Int, first: Int64 = 0) {
        self.init(channels: channels)
        let frames = samples.count / channels
        samples.withUnsafeBufferPointer {
            append($0, as: Piece(sourceFrame: first, sourceFrames: frames, frames: frames))
        }
    }

    var samples: [Float] { withSamples { Array($0) } }
}

extension ProcessingStage {
    /// Returns the output for samples that are divided into blocks of the given numbers of frames in turn.
    mutating func output(
        _ samples: [Float], channels: Int, blocks: [Int] = [1152], finishes: Bool = true
    ) -> MappedAudio {
        var output = MappedAudio(channels: channels)
        var first = 0
        var turn = 0
        while first * channels < samples.count {
            let count = min(blocks[turn % blocks.count], samples.count / channels - first)
            let block = Array(samples[first * channels..<(first + count) * channels])
            process(MappedAudio(block, channels: channels, first: Int64(first)), into: &output)
            first += count
            turn += 1
        }
        if finishes { finish(into: &output) }
        return output
    }
}
