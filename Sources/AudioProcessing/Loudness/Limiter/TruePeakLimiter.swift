// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// A limiter that keeps the true peak at or below −1 dBTP, with the same gain for all channels.
///
/// It looks 5 ms ahead, so it holds that much audio back; all frames keep their pieces. Audio without a peak above the
/// ceiling passes bit for bit. Samples that are NaN or infinite become 0.
public struct TruePeakLimiter: ProcessingStage {
    /// The ceiling in dBTP.
    public static let ceiling = -1.0
    /// The distance in dB below the ceiling to which greater peaks are reduced: the peaks that different oversampling
    /// filters find differ by about 0.1 dB.
    static let margin = 0.1
    private var held: MappedAudio
    private var gain: LimiterGain

    public init(sampleRate: Int, channels: Int) {
        let channels = max(1, channels)
        held = MappedAudio(channels: channels)
        gain = LimiterGain(sampleRate: max(1, sampleRate), channels: channels)
    }

    /// The history of reductions, and the gain correction that follows from it.
    public var sustained: SustainedReduction { gain.sustained }

    public mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        precondition(input.channels == held.channels, "wrong number of channels")
        let first = held.frames
        held.append(input)
        gain.apply(to: &held, from: first)
        held.moveFirst(gain.finished, to: &output)
        gain.finished -= first + input.frames - held.frames
    }

    public mutating func finish(into output: inout MappedAudio) {
        gain.finish(&held)
        output.append(held)
        held.removeAll()
        gain.reset()
    }

    public mutating func restart() {
        held.removeAll()
        gain.reset()
    }
}
