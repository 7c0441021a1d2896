// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// Conversions between decibels and ratios.
enum Decibels {
    /// Returns the ratio of amplitudes: 6.02 dB is 2.
    static func amplitude(_ decibels: Double) -> Double { exp2(decibels * 0.05 * log2(10)) }

    /// Returns the ratio of powers: 3.01 dB is 2.
    static func power(_ decibels: Double) -> Double { exp2(decibels * 0.1 * log2(10)) }

    /// Returns the decibels of a ratio of amplitudes; −∞ for 0.
    static func ofAmplitude(_ ratio: Double) -> Double { 20 * log10(ratio) }

    /// Returns the decibels of a ratio of powers; −∞ for 0.
    static func ofPower(_ ratio: Double) -> Double { 10 * log10(ratio) }
}
