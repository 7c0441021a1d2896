// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// The gain of a compressor with a soft knee, computed once for each interval. Levels are in LUFS without the weighting
/// of frequencies.
struct Compressor: Sendable {
    private let threshold: Double
    private let knee = 8.0
    /// The reduction in dB for each dB above the knee, for a ratio of 2.5.
    private let slope = 1 - 1 / 2.5
    /// The gain in dB that leaves a voice at the target loudness: a constant level 2 dB above the target stays, because
    /// the loudest parts of a voice count most, and are reduced most.
    private var makeup = 0.0
    /// The parts of a difference that are left after one interval.
    private let averaging: Double
    private let attack: Double
    private let release: Double
    private var power = 0.0
    private var reduction: Double
    /// The intervals so far, up to those of the averaging. The gain follows them without delay, so that sound which
    /// begins in its middle does not begin louder.
    private var settled = 0.0

    /// - Parameters:
    ///   - target: the loudness of a voice that keeps it. The threshold is 6 dB below.
    ///   - interval: in seconds.
    init(target: Double, interval: Double) {
        threshold = target - 6
        averaging = exp(-interval / 0.010)
        attack = exp(-interval / 0.015)
        release = exp(-interval / 0.150)
        reduction = 0
        makeup = reduction(level: target + 2)
        reduction = makeup
    }

    /// The gain as a ratio of amplitudes.
    var gain: Double { Decibels.amplitude(makeup - reduction) }

    /// Advances by one interval with this mean power.
    mutating func advance(power mean: Double) {
        let kept = min(averaging, settled / (settled + 1))
        power = mean + (power - mean) * kept
        let wanted = reduction(level: LoudnessWeighting.loudness(power: power))
        if kept < averaging {
            settled += 1
            reduction = wanted
        } else {
            reduction = wanted + (reduction - wanted) * (wanted > reduction ? attack : release)
        }
    }

    /// Returns the reduction in dB for a constant level.
    private func reduction(level: Double) -> Double {
        let excess = level - threshold
        if excess >= knee / 2 { return slope * excess }
        let bent = max(0, excess + knee / 2)
        return slope * bent * bent / (2 * knee)
    }
}
