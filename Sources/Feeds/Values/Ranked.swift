// SPDX-License-Identifier: GPL-3.0-or-later

/// The best of several values for one field, independent of their order: the lowest rank wins, then the first value.
struct Ranked<Value> {
    private(set) var value: Value?
    private var rank = Int.max

    /// - Parameter candidate: evaluated only if its rank could win.
    mutating func offer(_ candidate: @autoclosure () -> Value?, rank: Int) {
        guard rank < self.rank, let candidate = candidate() else { return }
        value = candidate
        self.rank = rank
    }
}
