// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// The sample peak and, unless it is switched off, the true peak of all channels.
struct PeakMeter: Sendable {
    /// The greatest magnitude of the samples; finite.
    private(set) var samplePeak: Float = 0
    /// The greatest magnitude of the oversampled signal; finite. `nil` if it is not measured.
    private(set) var truePeak: Float?
    private var filter: TruePeakFilter

    init(channels: Int, measuresTruePeak: Bool) {
        filter = TruePeakFilter(channels: channels)
        truePeak = measuresTruePeak ? 0 : nil
    }

    /// Forgets the previous samples, but not the peaks.
    mutating func restart() { filter.reset() }

    /// - Parameter samples: `frames × channels` finite samples, at most `TruePeakFilter.longestBlock` frames.
    mutating func measure(_ samples: UnsafePointer<Float>, frames: Int) {
        samplePeak = max(samplePeak, VectorOperations.peak(samples, count: frames * filter.channels))
        guard var highest = truePeak.map({ max($0, samplePeak) }) else { return }
        if filter.measure(samples, frames: frames, above: highest) {
            for frame in 0..<frames { highest = max(highest, filter.peak(at: frame)) }
        }
        truePeak = min(highest, .greatestFiniteMagnitude)
    }
}
