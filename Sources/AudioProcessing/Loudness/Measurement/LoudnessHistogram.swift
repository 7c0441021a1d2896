// SPDX-License-Identifier: GPL-3.0-or-later

/// The result of a loudness measurement, which can be stored and merged with the results for other parts of the same
/// item.
///
/// Loudness is measured as in ITU-R BS.1770-5, loudness range as in EBU Tech 3342. Only the blocks that extend across
/// the border between two parts are missing from a merged result.
public struct LoudnessHistogram: Sendable, Equatable {
    /// The 400 ms blocks, one every 100 ms.
    var blocks = LevelHistogram()
    /// The 3 s blocks, one every 100 ms.
    var shortTerm = LevelHistogram()
    /// The measured audio in steps of 100 ms.
    var steps: UInt64 = 0
    /// The greatest magnitude of the samples; finite.
    var samplePeakMagnitude: Float = 0
    /// The greatest magnitude of the oversampled signal; finite. `nil` if it was not measured.
    var truePeakMagnitude: Float?

    public init() {}

    /// Counts the blocks that end with the last step of `window`.
    mutating func add(_ window: PowerWindow) {
        steps += 1
        if let power = window.mean(of: PowerWindow.momentary) { blocks.add(power: power) }
        if let power = window.mean(of: PowerWindow.shortTerm) { shortTerm.add(power: power) }
    }

    /// Adds the results for another part of the same item. The true peak is unknown unless it was measured in both
    /// parts.
    public mutating func merge(_ other: LoudnessHistogram) {
        guard other.steps > 0 else { return }
        guard steps > 0 else { return self = other }
        blocks.merge(other.blocks)
        shortTerm.merge(other.shortTerm)
        steps = steps.addingReportingOverflow(other.steps).overflow ? .max : steps + other.steps
        samplePeakMagnitude = max(samplePeakMagnitude, other.samplePeakMagnitude)
        truePeakMagnitude = truePeakMagnitude.flatMap { own in other.truePeakMagnitude.map { max(own, $0) } }
    }
}

extension LoudnessHistogram {
    /// The integrated loudness in LUFS, or `nil` if no block passed the gates.
    public var integrated: Double? {
        blocks.gate(below: 10).flatMap { blocks.loudness(from: $0) }
    }

    /// The loudness range in LU, or `nil` if less than 3 s were measured or all of it was below the gates.
    public var range: Double? {
        guard let gate = shortTerm.gate(below: 20), let low = shortTerm.percentile(0.1, from: gate),
            let high = shortTerm.percentile(0.95, from: gate)
        else { return nil }
        return high - low
    }

    /// The true peak in dBTP, or `nil` if it was not measured or all samples were 0.
    public var truePeak: Double? { truePeakMagnitude.flatMap(Self.decibels) }

    /// The sample peak in dBFS, or `nil` if all samples were 0.
    public var samplePeak: Double? { Self.decibels(samplePeakMagnitude) }

    /// The duration of the audio that determines the integrated loudness.
    public var gatedSeconds: Double { blocks.gate(below: 10).map { Double(blocks.blocks(from: $0)) / 10 } ?? 0 }

    /// The duration of the measured audio, in whole steps of 100 ms.
    public var measuredSeconds: Double { Double(steps) / 10 }

    private static func decibels(_ magnitude: Float) -> Double? {
        magnitude > 0 ? Decibels.ofAmplitude(Double(magnitude)) : nil
    }
}
