// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// An analogue second-order section, independent of a sample rate:
/// `H(s) = (n2·s² + n1·s + n0) / (s² + s/q + 1)`, where s is 1 at `frequency`.
struct AnalogSection: Sendable, Equatable {
    let n2: Double
    let n1: Double
    let n0: Double
    let q: Double
    /// The corner or centre frequency in Hz.
    let frequency: Double

    /// A high-pass. A `q` of √½ gives the response of Butterworth.
    static func highPass(frequency: Double, q: Double = 0.5.squareRoot()) -> AnalogSection {
        AnalogSection(n2: 1, n1: 0, n0: 0, q: q, frequency: frequency)
    }

    /// A bell that amplifies `frequency` by `gain` dB. The responses for `gain` and `-gain` are inverse.
    static func bell(frequency: Double, q: Double, gain: Double) -> AnalogSection {
        let amplitude = pow(10, gain / 40)
        return AnalogSection(n2: 1, n1: amplitude / q, n0: 1, q: amplitude * q, frequency: frequency)
    }
}

extension AnalogSection {
    /// The section that the bilinear transform turns into `digital` at `sampleRate`.
    ///
    /// It recovers a filter that a standard specifies by its coefficients at one sample rate, so that the same response
    /// is available at every rate.
    init(digital: Biquad, sampleRate: Double) {
        let scale = 1 - digital.a1 + digital.a2
        let k = ((1 + digital.a1 + digital.a2) / scale).squareRoot()
        n2 = (digital.b0 - digital.b1 + digital.b2) / scale
        n1 = 2 * (digital.b0 - digital.b2) / scale / k
        n0 = (digital.b0 + digital.b1 + digital.b2) / scale / (k * k)
        q = k * scale / (2 * (1 - digital.a2))
        frequency = atan(k) * sampleRate / .pi
    }

    /// Returns the section for `sampleRate`: the bilinear transform, exact at `frequency`. A frequency near or above
    /// half the sample rate is lowered to 0.45 times that rate.
    func digital(sampleRate: Double) -> Biquad {
        let k = tan(.pi * min(frequency / sampleRate, 0.45))
        let a0 = 1 + k / q + k * k
        return Biquad(
            b0: (n2 + n1 * k + n0 * k * k) / a0,
            b1: 2 * (n0 * k * k - n2) / a0,
            b2: (n2 - n1 * k + n0 * k * k) / a0,
            a1: 2 * (k * k - 1) / a0,
            a2: (1 - k / q + k * k) / a0)
    }
}
