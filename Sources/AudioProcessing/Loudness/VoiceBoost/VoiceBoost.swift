// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media

/// An effect that makes speech easier to understand in noise: a high-pass at 80 Hz against rumble, +2.5 dB at 3 kHz,
/// and a compressor with the same gain for all channels.
///
/// A voice at the target loudness keeps about its loudness; a quieter one is amplified by up to 4.8 dB. Peaks may
/// exceed full scale, so a limiter must follow. Samples that are NaN or infinite count as silence.
public struct VoiceBoost: ProcessingStage {
    private var filter: FilterCascade
    private var compressor: Compressor
    private var power: WeightedPower
    /// The frames from one gain to the next: 0.5 ms.
    private let interval: Int
    private var position = 0
    /// The gains at the start and at the end of the current interval.
    private var gains: (start: Double, end: Double)

    /// - Parameter target: the loudness in LUFS of the audio.
    public init(format: AudioFormat, target: Double) {
        let rate = max(1, format.sampleRate)
        filter = FilterCascade(
            .highPass(frequency: 80), .bell(frequency: 3000, q: 0.8, gain: 2.5), sampleRate: rate,
            channels: max(1, format.channels))
        interval = max(1, rate / 2000)
        compressor = Compressor(target: target, interval: Double(interval) / Double(rate))
        power = WeightedPower(weights: filter.lanes(LoudnessWeighting.channelWeights(format)))
        gains = (compressor.gain, compressor.gain)
    }

    public mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        precondition(input.channels == filter.channels, "wrong number of channels")
        let (first, channels) = (output.frames, input.channels)
        output.append(input)
        output.modifySamples { samples in
            guard let start = samples.baseAddress else { return }
            VectorOperations.clearNonFinite(start + first * channels, count: samples.count - first * channels)
            var frame = first
            while frame < samples.count / channels {
                let count = min(samples.count / channels - frame, interval - position)
                process(start + frame * channels, frames: count)
                frame += count
            }
            VectorOperations.clearNonFinite(start + first * channels, count: samples.count - first * channels)
        }
    }

    public mutating func finish(into output: inout MappedAudio) {}

    /// Forgets the previous samples. The gain stays.
    public mutating func restart() {
        filter.reset()
        power.reset()
        position = 0
        gains.start = gains.end
    }

    /// Processes a part of an interval in place.
    private mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        for pair in 0..<filter.pairs { applyFilter(samples, frames: frames, pair: pair) }
        let step = (gains.end - gains.start) / Double(interval)
        for frame in 0..<frames {
            let gain = gains.start + step * Double(position + frame)
            VectorOperations.multiply(samples + frame * filter.channels, count: filter.channels, by: Float(gain))
        }
        position += frames
        if position == interval { endInterval() }
    }

    private mutating func applyFilter(_ samples: UnsafeMutablePointer<Float>, frames: Int, pair: Int) {
        let (left, right) = filter.channels(ofPair: pair)
        let channels = filter.channels
        var sum = power.sums[pair]
        filter.filter(samples, frames: frames, pair: pair) { frame, sample in
            sum += sample * sample
            samples[frame &* channels &+ left] = Float(sample.x)
            samples[frame &* channels &+ right] = Float(sample.y)
        }
        power.sums[pair] = sum
    }

    private mutating func endInterval() {
        compressor.advance(power: power.takeMean(frames: interval))
        filter.clearSubnormals()
        gains = (gains.end, compressor.gain)
        position = 0
    }
}
