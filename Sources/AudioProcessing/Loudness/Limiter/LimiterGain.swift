// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// The signal path of a limiter: it detects peaks, and applies the gains to audio that is held back.
struct LimiterGain: Sendable {
    private(set) var sustained: SustainedReduction
    /// The number of frames at the front of the audio that have their final samples.
    var finished = 0
    private var filter: TruePeakFilter
    private var envelope: ReductionEnvelope
    private let ceiling: Float
    /// The gains that are still to come for frames before the first one.
    private var lead: Int
    private let silence: [Float]

    init(sampleRate: Int, channels: Int) {
        let rate = Double(sampleRate)
        sustained = SustainedReduction(sampleRate: sampleRate)
        filter = TruePeakFilter(channels: channels)
        ceiling = Float(Decibels.amplitude(TruePeakLimiter.ceiling))
        envelope = ReductionEnvelope(
            ceiling: ceiling, reducedPeak: Decibels.amplitude(TruePeakLimiter.ceiling - TruePeakLimiter.margin),
            lookAhead: Int((rate * 0.005).rounded()), release: rate * 0.08)
        lead = envelope.delay + TruePeakFilter.delay
        silence = Array(repeating: 0, count: TruePeakFilter.longestBlock * channels)
    }

    /// Forgets the audio, but not the history of reductions.
    mutating func reset() {
        filter.reset()
        envelope.reset()
        lead = envelope.delay + TruePeakFilter.delay
        finished = 0
    }

    /// Takes the frames of `audio` from `first` on, and applies the gains that they determine.
    mutating func apply(to audio: inout MappedAudio, from first: Int) {
        let channels = filter.channels
        audio.modifySamples { samples in
            guard let start = samples.baseAddress else { return }
            VectorOperations.clearNonFinite(start + first * channels, count: samples.count - first * channels)
            var frame = first
            while frame < samples.count / channels {
                let count = min(TruePeakFilter.longestBlock, samples.count / channels - frame)
                apply(to: start, detecting: start + frame * channels, frames: count)
                frame += count
            }
        }
    }

    /// Applies the gains to the remaining frames, as if silence followed.
    mutating func finish(_ audio: inout MappedAudio) {
        let channels = filter.channels
        audio.modifySamples { samples in
            guard let start = samples.baseAddress else { return }
            let silence = silence
            silence.withUnsafeBufferPointer { silence in
                guard let silence = silence.baseAddress else { return }
                while finished < samples.count / channels {
                    let count = min(TruePeakFilter.longestBlock, samples.count / channels - finished + lead)
                    apply(to: start, detecting: silence, frames: count)
                }
            }
        }
    }

    /// Takes a block of the detector's input and applies as many gains to the audio that begins at `samples`.
    private mutating func apply(
        to samples: UnsafeMutablePointer<Float>, detecting input: UnsafePointer<Float>, frames: Int
    ) {
        let exceeds = filter.measure(input, frames: frames, above: ceiling)
        let skipped = min(lead, frames)
        lead -= skipped
        guard exceeds || !envelope.isIdle else {
            finished += frames - skipped
            return sustained.add(frames: frames - skipped, isReduced: false)
        }
        for frame in 0..<frames {
            let gain = envelope.gain(peak: exceeds ? filter.peak(at: frame) : 0)
            guard frame >= skipped else { continue }
            VectorOperations.multiply(samples + finished * filter.channels, count: filter.channels, by: gain)
            sustained.add(frames: 1, isReduced: gain < SustainedReduction.threshold)
            finished += 1
        }
    }
}
