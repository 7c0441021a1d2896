// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The sound in one channel, at one of the rates that `MusicDetector` takes.
///
/// The actual rate may differ from the nominal one, so no filter is needed: 44.1 kHz becomes 22.05 kHz, which counts as
/// 24 kHz. Speech that is 9 % higher and faster is still speech. 8 kHz becomes 16 kHz, which counts as 24 kHz, too: a
/// voice without high frequencies would be taken for music.
struct MonoSignal: Sendable {
    /// The nominal rate in Hz.
    let rate: Int
    /// True if there are two samples for each one of the source.
    private let isDoubled: Bool
    private var decimator: Decimator
    private var last: Float = 0
    private(set) var samples: [Float] = []

    /// - Parameter rate: the rate of the source in Hz.
    init(rate: Int) {
        isDoubled = rate < 16_000
        let plans = [24_000, 16_000].map { nominal in
            let factor = max(1, (rate + nominal / 2) / nominal)
            return (nominal: nominal, factor: factor, deviation: abs(log(Double(rate) / Double(nominal * factor))))
        }
        let plan = isDoubled || plans[0].deviation <= plans[1].deviation ? plans[0] : plans[1]
        self.rate = plan.nominal
        decimator = Decimator(factor: plan.factor)
    }

    @inline(__always)
    mutating func add(_ sample: SIMD4<Float>) {
        guard let sum = decimator.add(sample) else { return }
        let next = sum / Float(decimator.factor)
        if isDoubled { samples.append((last + next) / 2) }
        samples.append(next)
        last = next
    }

    /// Forgets the samples, but not the place in the source.
    mutating func removeSamples() { samples.removeAll(keepingCapacity: true) }

    mutating func reset() {
        decimator.reset()
        last = 0
        removeSamples()
    }
}
