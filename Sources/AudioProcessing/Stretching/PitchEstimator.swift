// SPDX-License-Identifier: GPL-3.0-or-later

/// An estimator of the pitch period: the lag at which two neighbouring stretches of sound differ least. The mean square
/// of this difference is the energy that a crossfade of the two loses, so the lag is also right where there is no
/// pitch.
///
/// The search runs at about 8 kHz, and again at the full rate around the minimum.
struct PitchEstimator: Sendable {
    /// The shortest and the longest period in frames: 400 Hz and 70 Hz.
    let periods: ClosedRange<Int>
    /// The samples that an estimate needs.
    var window: Int { periods.upperBound * 2 }
    /// Samples per sample of the coarse search.
    private let decimation: Int
    /// Above 48 kHz the fine search does not compare every sample.
    private let stride: Int
    private var coarse: [Float]

    init(sampleRate: Int) {
        decimation = max(1, sampleRate / 8000)
        stride = max(1, sampleRate / 44100)
        let shortest = max(2, sampleRate / 400)
        periods = shortest...max(shortest, sampleRate / 70)
        coarse = Array(repeating: 0, count: periods.upperBound * 2 / decimation)
    }

    /// Returns the period at the start of `mono`, which has `window` samples.
    mutating func period(of mono: UnsafePointer<Float>) -> Int {
        decimate(mono)
        let lags = (periods.lowerBound / decimation)...(periods.upperBound / decimation)
        // Short lags need a longer comparison than their own length, because a few samples may match by chance.
        let rough = coarse.withUnsafeBufferPointer {
            Self.bestLag(of: $0.baseAddress!, among: lags, atLeast: lags.upperBound * 4 / 5, stride: 1)
        }
        let near = (rough - 1) * decimation...(rough + 1) * decimation
        return Self.bestLag(of: mono, among: near.clamped(to: periods), atLeast: 1, stride: stride)
    }

    private mutating func decimate(_ mono: UnsafePointer<Float>) {
        let decimation = decimation
        coarse.withUnsafeMutableBufferPointer { coarse in
            for index in coarse.indices {
                var sum: Float = 0
                for offset in 0..<decimation { sum += mono[index &* decimation &+ offset] }
                coarse[index] = sum
            }
        }
    }

    /// Returns the shortest of the lags with the least difference over the lag, or over `count` samples if that is
    /// longer.
    private static func bestLag(
        of samples: UnsafePointer<Float>, among lags: ClosedRange<Int>, atLeast count: Int, stride: Int
    ) -> Int {
        lags.least { samples.meanSquareDifference(lag: $0, count: max($0, count), stride: stride) } ?? lags.lowerBound
    }
}
