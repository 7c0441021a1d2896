// SPDX-License-Identifier: GPL-3.0-or-later

/// The last 50 ms of a signal at a low rate, which tell notes from noise.
struct SignalTail: Sendable {
    /// 50 ms; a multiple of 16.
    private let window: Int
    private let lags: ClosedRange<Int>
    private var decimator: Decimator
    private var samples: [Float]
    private var end = 0
    private var last: Float = 0

    init(rate: Int) {
        decimator = Decimator(factor: max(1, rate / 4000))
        let reduced = rate / decimator.factor
        window = reduced / 320 * 16
        lags = reduced / 200...reduced / 50
        samples = Array(repeating: 0, count: 4 * (window + lags.upperBound) + 1)
    }

    @inline(__always)
    mutating func add(_ sample: SIMD4<Float>) {
        if let sum = decimator.add(sample) { store(sum) }
    }

    private mutating func store(_ sample: Float) {
        let length = window + lags.upperBound
        if end == samples.count {
            for index in 0..<length { samples[index] = samples[end - length + index] }
            end = length
        }
        // Without emphasis of the high frequencies, hum makes room noise a note.
        samples[end] = sample - 0.9 * last
        end += 1
        last = sample
    }

    /// True if the last 50 ms contain a note, however short. Vowels are notes, too.
    var isNote: Bool {
        guard end >= samples.count / 4 else { return false }
        let energy = product(lag: 0, count: window)
        // Digital silence is not a note, and a signal that fades away within 50 ms is the end of a word.
        return energy > 1e-12 && product(lag: 0, delay: window / 2, count: window / 2) < 0.8 * energy
            && lags.contains { repeats(after: $0, energy: energy) }
    }

    /// Returns true if the normalized correlation of the last 50 ms and those before exceeds 0.6.
    private func repeats(after lag: Int, energy: Float) -> Bool {
        let product = product(lag: lag, count: window)
        return product > 0 && product * product > 0.36 * energy * self.product(lag: 0, delay: lag, count: window)
    }

    /// Returns the sum of the products of `count` samples, a multiple of 8, which end `delay` samples before the end,
    /// and those `lag` samples before them.
    private func product(lag: Int, delay: Int = 0, count: Int) -> Float {
        samples.withUnsafeBytes { bytes in
            var sum = SIMD8<Float>.zero
            let start = end - delay - count
            for index in stride(from: start, to: start + count, by: 8) {
                let late = bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
                sum += late * bytes.loadUnaligned(fromByteOffset: 4 * (index - lag), as: SIMD8<Float>.self)
            }
            return sum.sum()
        }
    }

    mutating func reset() {
        decimator.reset()
        (end, last) = (0, 0)
    }
}
