// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// Creates the rounded value of an estimate, limited to ±10¹⁸: a file may state any rate, and the conversion of a
    /// larger number traps. An estimate that is not a finite number counts as 0.
    package init(estimate value: Double) {
        self = value.isFinite ? Int64(Swift.min(Swift.max(value.rounded(), -1e18), 1e18)) : 0
    }
}
