// SPDX-License-Identifier: GPL-3.0-or-later

/// The longest chain of anchors that ascends in both versions, kept while anchors are added.
///
/// Patience sorting: for each length the chain is known that ends earliest in the old version; an anchor continues the
/// longest of those that end before it. n log n steps for n anchors.
struct AnchorChain: Sendable {
    /// A gram found in both versions.
    struct Anchor {
        let old: Int32
        let new: Int32
        /// The number of the anchor before it in its chain.
        let previous: Int32?
    }

    private(set) var anchors: [Anchor] = []
    /// For each length the number of the anchor that ends its chain.
    private var ends: [Int32] = []

    /// The number of the anchor that ends the longest chain.
    var last: Int? { ends.last.map(Int.init) }

    /// - Parameters:
    ///   - old: its place in the old version; of several for the same `new`, the last first.
    ///   - new: its place in the new version, never less than the last one's.
    mutating func append(old: Int32, new: Int32) {
        let length = ascendingBefore(old)
        // An end at the same old place, met earlier in the new version, is as good for all that follows.
        guard length == ends.count || anchors[Int(ends[length])].old != old else { return }
        let number = Int32(clamping: anchors.count)
        anchors.append(Anchor(old: old, new: new, previous: length > 0 ? ends[length - 1] : nil))
        if length < ends.count { ends[length] = number } else { ends.append(number) }
    }

    /// How many of `ends` lie before the place; mostly all of them.
    private func ascendingBefore(_ old: Int32) -> Int {
        guard let last, anchors[last].old >= old else { return ends.count }
        var first = 0
        var end = ends.count - 1
        while first < end {
            let middle = (first + end) / 2
            if anchors[Int(ends[middle])].old < old { first = middle + 1 } else { end = middle }
        }
        return first
    }
}
