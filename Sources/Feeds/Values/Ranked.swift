// SPDX-License-Identifier: GPL-3.0-or-later

/// The best of several values for one field, whatever the order in which they come: the lowest rank wins, then the
/// first.
struct Ranked<Value> {
    private(set) var value: Value?
    private var rank = Int.max

    /// - Parameter candidate: made only where it could win.
    mutating func offer(_ candidate: @autoclosure () -> Value?, rank: Int) {
        guard rank < self.rank, let candidate = candidate() else { return }
        value = candidate
        self.rank = rank
    }
}
