// SPDX-License-Identifier: GPL-3.0-or-later

/// The mean power of several channels, each with its weight. The lanes are those of `FilterCascade`.
struct WeightedPower: Sendable {
    /// For each pair of channels the sums of the squares.
    var sums: [SIMD2<Double>]
    private let weights: [SIMD2<Double>]

    init(weights: [SIMD2<Double>]) {
        self.weights = weights
        sums = Array(repeating: SIMD2(), count: weights.count)
    }

    /// Returns the weighted sum of the channels' mean squares over `frames` frames, and clears the sums.
    mutating func takeMean(frames: Int) -> Double {
        var power = 0.0
        for pair in sums.indices { power += (sums[pair] * weights[pair]).sum() }
        reset()
        return power / Double(frames)
    }

    mutating func reset() {
        for pair in sums.indices { sums[pair] = SIMD2() }
    }
}
