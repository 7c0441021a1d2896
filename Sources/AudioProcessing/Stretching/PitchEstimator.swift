// SPDX-License-Identifier: GPL-3.0-or-later

/// An estimator of the pitch period: the lag at which two neighbouring stretches of sound differ least. The mean square
/// of this difference is the energy that a crossfade of the two loses, so the lag is also right where there is no
/// pitch.
///
/// All lags are compared at 4 to 8 kHz. The best one is then followed through doubled sample rates up to the full one.
struct PitchEstimator: Sendable {
    /// The shortest and the longest period in frames: 400 Hz and 70 Hz.
    let periods: ClosedRange<Int>
    /// The samples that an estimate needs.
    var window: Int { periods.upperBound * 2 }
    /// The sound at half its sample rate, at a quarter, and so on.
    private var halves: [[Float]]
    /// The last lag at the lowest rate. The next one often differs as little, so most other lags are soon ruled out.
    private var lastLag: Int

    init(sampleRate: Int) {
        let shortest = max(2, sampleRate / 400)
        periods = shortest...max(shortest, sampleRate / 70)
        var halves: [[Float]] = []
        while sampleRate >> halves.count > 8000 {
            halves.append(Array(repeating: 0, count: (periods.upperBound * 2) >> (halves.count + 1)))
        }
        self.halves = halves
        lastLag = periods.upperBound >> halves.count
    }

    /// Returns the period at the start of `mono`, which has `window` samples; below 1 kHz 16 more.
    mutating func period(of mono: UnsafePointer<Float>) -> Int {
        halve(mono)
        lastLag = withSamples(mono, halved: halves.count) { coarseLag(of: $0) }
        var lag = lastLag
        for times in halves.indices.reversed() {
            lag = withSamples(mono, halved: times) { fineLag(of: $0, near: lag * 2, halved: times) }
        }
        return lag
    }

    /// Returns the periods in samples of the sound whose rate was halved so many times.
    private func lags(halved times: Int) -> ClosedRange<Int> {
        (periods.lowerBound >> times)...(periods.upperBound >> times)
    }

    private func coarseLag(of samples: UnsafePointer<Float>) -> Int {
        let lags = lags(halved: halves.count)
        // Short lags need a longer comparison than their own length, because a few samples may match by chance.
        let count = lags.upperBound * 4 / 5
        var best = (lag: lags.lowerBound, difference: Float.infinity)
        // A little more than the difference of the last lag, because sums in another order are rounded differently.
        let known = samples.meanSquareDifference(lag: lastLag, count: max(lastLag, count)) * 1.001
        for next in stride(from: lags.lowerBound, through: lags.upperBound, by: 16) {
            // The last group overlaps the one before it, so that it does not read behind the window.
            let first = max(lags.lowerBound, min(next, lags.upperBound - 15))
            let limit = min(best.difference, known) * Float(max(first + 15, count))
            guard let sums = samples.squaredDifferences(firstLag: first, count: count, upTo: limit) else { continue }
            for lag in next...min(first + 15, lags.upperBound) {
                let (sum, length) = (sums[lag - first], Float(max(lag, count)))
                guard sum < best.difference * length else { continue }
                let rest = (samples + count).squaredDifference(lag: lag, count: max(0, lag - count))
                if sum + rest < best.difference * length { best = (lag, (sum + rest) / length) }
            }
        }
        return best.lag
    }

    private func fineLag(of samples: UnsafePointer<Float>, near lag: Int, halved times: Int) -> Int {
        // The lowest rate is so low that its result may be wrong by more than one sample of the next one.
        let reach = times == halves.count - 1 ? 2 : 1
        let near = (lag - reach...lag + reach).clamped(to: lags(halved: times))
        return near.least { samples.meanSquareDifference(lag: $0, count: $0) } ?? lag
    }
}

// MARK: Sample rates
extension PitchEstimator {
    private func withSamples<Result>(
        _ mono: UnsafePointer<Float>, halved times: Int, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        guard times > 0 else { return body(mono) }
        return halves[times - 1].withUnsafeBufferPointer { body($0.baseAddress ?? mono) }
    }

    private mutating func halve(_ mono: UnsafePointer<Float>) {
        for times in halves.indices {
            // Out of its array, so that the samples are not copied.
            var half: [Float] = []
            swap(&half, &halves[times])
            withSamples(mono, halved: times) { samples in
                half.withUnsafeMutableBufferPointer { samples.sumPairs(weight: 1, to: $0) }
            }
            swap(&half, &halves[times])
        }
    }
}
