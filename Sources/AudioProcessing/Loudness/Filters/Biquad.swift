// SPDX-License-Identifier: GPL-3.0-or-later

/// The coefficients of a digital second-order section with a₀ = 1:
/// `y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a1·y[n−1] − a2·y[n−2]`.
struct Biquad: Sendable, Equatable {
    var b0: Double
    var b1: Double
    var b2: Double
    var a1: Double
    var a2: Double
}
