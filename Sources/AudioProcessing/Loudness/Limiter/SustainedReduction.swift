// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule for items whose gain is too high for their peaks: when a limiter has reduced the gain by more than 3 dB for
/// 2 s, the gain sinks by 0.5 dB per second until the reduction is less. It never rises again for this item.
///
/// Interruptions of up to 0.2 s, as between syllables, do not end a reduction.
public struct SustainedReduction: Sendable, Equatable {
    /// The limiter's gain below which the reduction counts: −3 dB.
    static let threshold = Float(Decibels.amplitude(-3))
    private static let decibelsPerSecond = 0.5

    private let sampleRate: Int
    /// The frames since the reduction began, interruptions included.
    private var run = 0
    private var interruption = 0
    /// The frames of reduction beyond the first 2 s of each run.
    private var excess = 0

    public init(sampleRate: Int) { self.sampleRate = max(1, sampleRate) }

    /// The gain in dB to add to the gain before the limiter, −12...0. It never increases.
    public var correction: Double {
        GainRange.clamp(-Self.decibelsPerSecond * Double(excess) / Double(sampleRate))
    }

    /// Adds consecutive frames with the same state.
    /// - Parameter isReduced: true if the limiter reduced their gain by more than 3 dB.
    public mutating func add(frames: Int, isReduced: Bool) {
        guard isReduced || run > 0 else { return }
        interruption = isReduced ? 0 : interruption + frames
        guard interruption <= sampleRate / 5 else { return run = 0 }
        run += frames
        if isReduced { excess += min(frames, max(0, run - 2 * sampleRate)) }
    }
}
