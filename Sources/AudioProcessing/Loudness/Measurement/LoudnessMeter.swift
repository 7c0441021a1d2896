// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media

/// A loudness meter after ITU-R BS.1770-5 and EBU Tech 3342, for any number of channels.
///
/// A mono signal is measured as two loudspeakers play it, 3 LU above the loudness of the same samples in one channel of
/// stereo. Samples that are NaN or infinite count as silence. The result does not depend on how the audio is divided.
///
///     var meter = LoudnessMeter(format: format)
///     meter.measure(samples)
///     let loudness = meter.histogram.integrated
public struct LoudnessMeter: Sendable {
    private var measured = LoudnessHistogram()
    private var peaks: PeakMeter
    private let format: AudioFormat
    private var filter: FilterCascade
    /// The power of the current step.
    private var power: WeightedPower
    private var window = PowerWindow()
    /// The number of the current step, and of frames since the start or the last `restart`.
    private var step = 0
    private var position = 0
    private var block: [Float]
    private static let longestBlock = TruePeakFilter.longestBlock

    /// - Parameters:
    ///   - format: the sample rate, the channels and their layout; the audio is interleaved Float32. The K-weighting
    ///     is exact to 0.1 dB for rates from 16 to 192 kHz, to 0.3 dB from 8 kHz.
    ///   - measuresTruePeak: false omits the true peak.
    public init(format: AudioFormat, measuresTruePeak: Bool = true) {
        let format = AudioFormat(
            sampleRate: min(max(1000, format.sampleRate), 1 << 24), channels: min(max(1, format.channels), 1024),
            layout: format.layout)
        self.format = format
        filter = LoudnessWeighting.filter(format)
        peaks = PeakMeter(channels: format.channels, measuresTruePeak: measuresTruePeak)
        power = WeightedPower(weights: filter.lanes(LoudnessWeighting.channelWeights(format)))
        block = Array(repeating: 0, count: Self.longestBlock * format.channels)
    }

    /// The result for all audio so far: loudness to the last complete step of 100 ms, peaks to the last sample.
    public var histogram: LoudnessHistogram {
        var histogram = measured
        histogram.samplePeakMagnitude = peaks.samplePeak
        histogram.truePeakMagnitude = peaks.truePeak
        return histogram
    }

    /// Measures `frames × channels` interleaved samples that follow those of the last call.
    public mutating func measure(_ samples: UnsafeBufferPointer<Float>) {
        guard let start = samples.baseAddress else { return }
        let frames = samples.count / format.channels
        var frame = 0
        while frame < frames {
            let count = min(frames - frame, Self.longestBlock, stepEnd - position)
            measure(start + frame * format.channels, frames: count)
            frame += count
            if position == stepEnd { endStep() }
        }
    }

    /// Prepares for audio from another position. The result so far stays, except for the last incomplete step.
    public mutating func restart() {
        filter.reset()
        peaks.restart()
        window = PowerWindow()
        power.reset()
        (step, position) = (0, 0)
    }
}

extension LoudnessMeter {
    /// The end of a step, to the nearest frame: steps have equal lengths on average at any sample rate.
    private var stepEnd: Int { (step + 1) * format.sampleRate / 10 }

    /// Measures a part of a step, of at most `longestBlock` frames.
    private mutating func measure(_ samples: UnsafePointer<Float>, frames: Int) {
        Self.copyFinite(samples, to: &block, count: frames * format.channels)
        position += frames
        let block = block
        block.withUnsafeBufferPointer { block in
            guard let samples = block.baseAddress else { return }
            for pair in 0..<filter.pairs {
                var sum = power.sums[pair]
                filter.filter(samples, frames: frames, pair: pair) { _, sample in sum += sample * sample }
                power.sums[pair] = sum
            }
            peaks.measure(samples, frames: frames)
        }
    }

    private static func copyFinite(_ samples: UnsafePointer<Float>, to block: inout [Float], count: Int) {
        block.withUnsafeMutableBufferPointer { block in
            guard let block = block.baseAddress else { return }
            VectorOperations.copy(samples, to: block, count: count)
            VectorOperations.clearNonFinite(block, count: count)
        }
    }

    private mutating func endStep() {
        let start = step * format.sampleRate / 10
        window.append(power.takeMean(frames: stepEnd - start))
        filter.clearSubnormals()
        measured.add(window)
        step += 1
    }
}
