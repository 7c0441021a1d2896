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
    /// The last result of the coarse search. The next one is often near it, and excludes most other lags quickly.
    private var lastLag: Int

    init(sampleRate: Int) {
        decimation = max(1, sampleRate / 8000)
        stride = max(1, sampleRate / 44100)
        let shortest = max(2, sampleRate / 400)
        periods = shortest...max(shortest, sampleRate / 70)
        coarse = Array(repeating: 0, count: periods.upperBound * 2 / decimation)
        lastLag = periods.lowerBound / decimation
    }

    /// Returns the period at the start of `mono`, which has `window` samples.
    mutating func period(of mono: UnsafePointer<Float>) -> Int {
        // With a constant factor the compiler unrolls the sum.
        switch decimation {
        case 5: decimate(mono, by: 5)
        case 6: decimate(mono, by: 6)
        default: decimate(mono, by: decimation)
        }
        let lags = (periods.lowerBound / decimation)...(periods.upperBound / decimation)
        // Short lags need a longer comparison than their own length, because a few samples may match by chance.
        let rough = coarse.withUnsafeBufferPointer {
            Self.bestLag(
                of: $0.baseAddress!, among: lags, atLeast: lags.upperBound * 4 / 5, stride: 1, likely: lastLag)
        }
        lastLag = rough
        let near = ((rough - 1) * decimation...(rough + 1) * decimation).clamped(to: periods)
        return Self.bestLag(
            of: mono, among: near, atLeast: 1, stride: stride, likely: (rough * decimation).clamped(to: near))
    }

    @inline(__always)
    private mutating func decimate(_ mono: UnsafePointer<Float>, by decimation: Int) {
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
    /// - Parameter likely: one of the lags, which is compared first. It does not change the result.
    private static func bestLag(
        of samples: UnsafePointer<Float>, among lags: ClosedRange<Int>, atLeast count: Int, stride: Int, likely: Int
    ) -> Int {
        var best = (lag: likely, difference: Float.infinity)
        best.difference = samples.meanSquareDifference(lag: likely, count: max(likely, count), stride: stride)
        for lag in lags where lag != likely {
            let difference = samples.meanSquareDifference(
                lag: lag, count: max(lag, count), stride: stride, upTo: best.difference)
            if difference < best.difference || difference == best.difference && lag < best.lag {
                best = (lag, difference)
            }
        }
        return best.lag
    }
}
