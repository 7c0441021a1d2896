// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing

/// Sounds and helpers for the tests of the stretcher.
enum StretchMaterial {
    /// A generator with a fixed seed (SplitMix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    static func noise(_ count: Int, level: Float, seed: UInt64) -> [Float] {
        var generator = Generator(state: seed)
        return (0..<count).map { _ in Float.random(in: -level...level, using: &generator) }
    }

    /// A pulse train with a sharp attack in each period, as a voice has: exactly periodic.
    static func vowel(_ count: Int, period: Int, level: Float = 0.5) -> [Float] {
        let pulse = noise(period, level: level, seed: 7)
        return (0..<count).map { index in
            let phase = Float(index % period) / Float(period)
            return pulse[index % period] * (1 - phase) * (1 - phase)
        }
    }

    /// Soft noise with a loud burst of 4 ms at each of `starts`.
    static func bursts(_ count: Int, at starts: [Int], sampleRate: Int) -> [Float] {
        var samples = noise(count, level: 0.001, seed: 1)
        for (index, start) in starts.enumerated() {
            let burst = noise(sampleRate / 250, level: 0.5, seed: UInt64(100 + index))
            samples.replaceSubrange(start..<(start + burst.count), with: burst)
        }
        return samples
    }

    static func audio(_ samples: [Float], channels: Int = 1, from source: Int = 0) -> MappedAudio {
        var audio = MappedAudio(channels: channels)
        let frames = samples.count / channels
        let piece = MappedAudio.Piece(sourceFrame: Int64(source), sourceFrames: frames, frames: frames)
        samples.withUnsafeBufferPointer { audio.append($0, as: piece) }
        return audio
    }

    static func samples(of audio: MappedAudio) -> [Float] { audio.withSamples { Array($0) } }

    /// Returns the stretched item, with the input divided into blocks.
    static func stretch(
        _ input: [Float], speed: Double, sampleRate: Int = 8000, channels: Int = 1, block: Int = 1024
    ) -> MappedAudio {
        var stretcher = TimeStretcher(speed: speed, sampleRate: sampleRate, channels: channels)
        var output = MappedAudio(channels: channels)
        for start in stride(from: 0, to: input.count, by: block * channels) {
            let end = min(input.count, start + block * channels)
            stretcher.process(
                audio(Array(input[start..<end]), channels: channels, from: start / channels), into: &output)
        }
        stretcher.finish(into: &output)
        return output
    }
}
