// SPDX-License-Identifier: GPL-3.0-or-later

/// A limit of the work that a search for sync spends on false starts. Without it, a file of crafted headers would
/// cause a long check at each of its bytes.
struct SearchBudget: Sendable {
    /// The bytes that may still be checked in vain.
    private var credit: Int64 = 1 << 20

    /// Adds the credit for bytes that the search has passed.
    mutating func earn(_ bytes: Int64) { credit = min(credit + 4 * bytes, 1 << 20) }

    /// Records a failed check of `bytes` bytes.
    /// - Returns: true if the search may try each place among them, false if it must skip them.
    mutating func spend(_ bytes: Int64) -> Bool {
        guard credit >= bytes else { return false }
        credit -= bytes
        return true
    }
}
