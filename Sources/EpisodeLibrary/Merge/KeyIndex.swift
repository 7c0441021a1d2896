// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The indices of each key in a list: equivalent to a dictionary of arrays in a tenth of its memory.
struct KeyIndex {
    /// The keys in ascending order. The second array has the list index of each, ascending for equal keys.
    private var keys: [Int64] = []
    private var positions: [Int] = []

    init<Elements: RandomAccessCollection>(
        _ elements: Elements, _ key: (Elements.Element) -> Int64?
    ) where Elements.Index == Int {
        var entries: [(key: Int64, place: Int)] = []
        entries.reserveCapacity(elements.count)
        for place in elements.indices { if let key = key(elements[place]) { entries.append((key, place)) } }
        entries.sort { ($0.key, $0.place) < ($1.key, $1.place) }
        keys = entries.map(\.key)
        positions = entries.map(\.place)
    }

    /// Returns the indices of a key; empty if the key does not occur.
    subscript(key: Int64) -> ArraySlice<Int> {
        let start = keys.partitioningIndex { $0 >= key }
        let end = keys[start...].partitioningIndex { $0 > key }
        return positions[start..<end]
    }

    /// Returns the index of a key that occurs exactly once.
    func only(_ key: Int64) -> Int? {
        let places = self[key]
        return places.count == 1 ? places.first : nil
    }

    /// Calls `body` with each key that occurs exactly once, and its index.
    func forEachOnly(_ body: (Int64, Int) -> Void) {
        forEachRun { key, run in if run.count == 1 { body(key, positions[run.lowerBound]) } }
    }

    /// The keys that occur more than once.
    var shared: Set<Int64> {
        var shared: Set<Int64> = []
        forEachRun { key, run in if run.count > 1 { shared.insert(key) } }
        return shared
    }

    private func forEachRun(_ body: (Int64, Range<Int>) -> Void) {
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] == keys[start] { end += 1 }
            body(keys[start], start..<end)
            start = end
        }
    }
}
