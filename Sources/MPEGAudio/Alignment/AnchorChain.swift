// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The longest chain of anchors that ascends in both versions; it is updated as anchors are added.
///
/// The algorithm is patience sorting: for each length, the chain that ends earliest in the old version is kept. A new
/// anchor extends the longest chain that ends before it. n anchors take n log n steps.
struct AnchorChain: Sendable {
    /// A shingle found in both versions.
    struct Anchor {
        let old: Int32
        let new: Int32
        /// The number of the previous anchor in the chain.
        let previous: Int32?
    }

    private(set) var anchors: [Anchor] = []
    /// For each length, the number of the anchor that ends its chain.
    private var ends: [Int32] = []

    /// The number of the anchor that ends the longest chain.
    var last: Int? { ends.last.map(Int.init) }

    /// - Parameters:
    ///   - old: the position in the old version; several positions for the same `new` are appended in descending
    ///     order.
    ///   - new: the position in the new version, never less than that of the previous call.
    mutating func append(old: Int32, new: Int32) {
        let length = ascendingBefore(old)
        // An anchor at the same old position that comes earlier in the new version can be extended by the same
        // anchors.
        guard length == ends.count || anchors[Int(ends[length])].old != old else { return }
        let number = Int32(clamping: anchors.count)
        anchors.append(Anchor(old: old, new: new, previous: length > 0 ? ends[length - 1] : nil))
        if length < ends.count { ends[length] = number } else { ends.append(number) }
    }

    /// Returns the number of `ends` before the position; usually this is all of them.
    private func ascendingBefore(_ old: Int32) -> Int {
        guard let last, anchors[last].old >= old else { return ends.count }
        return ends.dropLast().partitioningIndex { anchors[Int($0)].old >= old }
    }
}
