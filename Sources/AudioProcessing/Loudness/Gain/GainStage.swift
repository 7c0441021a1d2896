// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// A gain. A change of the gain is a ramp of 100 ms, linear in dB.
///
/// A gain of 0 dB leaves finite samples unchanged, bit for bit. Samples that are NaN or infinite become 0, also those
/// that the gain made infinite.
public struct GainStage: ProcessingStage {
    /// The gain in dB to reach, −60...60. A change takes effect with the next frame; NaN is ignored.
    public var gain: Double {
        didSet {
            gain = gain.isNaN ? oldValue : min(max(gain, -60), 60)
            if gain != oldValue { beginRamp() }
        }
    }
    private let rampFrames: Int
    /// The ratio of the current frame.
    private var ratio: Double
    /// The frames left of the ramp, and the factor from one frame's ratio to the next.
    private var framesLeft = 0
    private var factor = 1.0

    /// - Parameter gain: the first gain in dB, which applies without a ramp.
    public init(gain: Double = 0, sampleRate: Int) {
        self.gain = gain.isNaN ? 0 : min(max(gain, -60), 60)
        ratio = Decibels.amplitude(self.gain)
        rampFrames = max(1, sampleRate / 10)
    }

    public mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        let (first, channels) = (output.frames, input.channels)
        output.append(input)
        output.modifySamples { samples in
            guard let start = samples.baseAddress else { return }
            let frames = samples.count / channels - first
            apply(to: start + first * channels, frames: frames, channels: channels)
            VectorOperations.clearNonFinite(start + first * channels, count: frames * channels)
        }
    }

    public mutating func finish(into output: inout MappedAudio) {}

    /// Ends a ramp: the next frame has the new gain.
    public mutating func restart() { endRamp() }

    private mutating func beginRamp() {
        framesLeft = rampFrames
        factor = Decibels.amplitude((gain - Decibels.ofAmplitude(ratio)) / Double(rampFrames))
    }

    private mutating func endRamp() {
        framesLeft = 0
        ratio = Decibels.amplitude(gain)
    }

    private mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        var frame = 0
        while frame < frames, framesLeft > 0 {
            ratio *= factor
            VectorOperations.multiply(samples + frame * channels, count: channels, by: Float(ratio))
            frame += 1
            framesLeft -= 1
            if framesLeft == 0 { endRamp() }
        }
        guard ratio != 1 else { return }
        VectorOperations.multiply(samples + frame * channels, count: (frames - frame) * channels, by: Float(ratio))
    }
}
