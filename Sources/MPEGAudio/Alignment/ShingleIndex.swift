// SPDX-License-Identifier: GPL-3.0-or-later

/// The positions of shingles in a version: of every 8th packet, and the last one.
///
/// The other version is looked up at every packet, so 15 consecutive packets (0.4 s) that occur in both versions and
/// differ from each other are always found. Shingles that recur often are left out: they do not identify a position,
/// and their cost would be unbounded. 0.9 MB for three hours.
struct ShingleIndex: Sendable {
    static let stride = 8
    /// The maximum number of positions per slot, and of lookups that it answers.
    static let limit = 8

    /// The positions, slot by slot.
    private var positions: [Int32] = []
    /// The start of each slot in `positions`, followed by the end of the last one.
    private var starts: [Int32] = [0, 0]
    private var lookupCounts: [UInt8] = [0]
    private var shift: UInt64 = 63

    init(_ hashes: UnsafeBufferPointer<UInt16>) {
        let distinctive = Self.sampled(hashes.count).filter { PacketShingle.isDistinctive(hashes, at: $0) }
        guard !distinctive.isEmpty else { return }
        let bits = max(1, Int.bitWidth - (2 * distinctive.count - 1).leadingZeroBitCount)
        shift = UInt64(UInt64.bitWidth - bits)
        lookupCounts = Array(repeating: 0, count: 1 << bits)
        let slots = distinctive.map { slot(of: PacketShingle(hashes, at: $0)) }
        starts = Self.starts(of: slots, count: lookupCounts.count)
        fill(distinctive, slots)
    }

    /// Returns the positions of possibly equal shingles in descending order; the caller compares them.
    mutating func positions(of shingle: PacketShingle) -> ReversedCollection<ArraySlice<Int32>> {
        let slot = slot(of: shingle)
        guard slot + 1 < starts.count, lookupCounts[slot] < Self.limit else { return positions[0..<0].reversed() }
        return positions[Int(starts[slot])..<Int(starts[slot + 1])].reversed()
    }

    /// Records that the shingle was found, which counts against the limit.
    mutating func note(_ shingle: PacketShingle) {
        let slot = slot(of: shingle)
        if lookupCounts[slot] < Self.limit { lookupCounts[slot] += 1 }
    }

    private func slot(of shingle: PacketShingle) -> Int {
        Int(truncatingIfNeeded: shingle.spread >> shift)
    }

    private static func sampled(_ count: Int) -> [Int] {
        guard count >= PacketShingle.length else { return [] }
        let last = min(count, Int(Int32.max)) - PacketShingle.length
        let regular = Array(Swift.stride(from: 0, through: last, by: stride))
        return regular.last == last ? regular : regular + [last]
    }

    /// Returns the start of each slot; those with too many positions are empty.
    private static func starts(of slots: [Int], count: Int) -> [Int32] {
        var starts = [Int32](repeating: 0, count: count + 1)
        for slot in slots { starts[slot + 1] += 1 }
        for slot in 1...count {
            starts[slot] = starts[slot - 1] + (starts[slot] > limit ? 0 : starts[slot])
        }
        return starts
    }

    private mutating func fill(_ distinctive: [Int], _ slots: [Int]) {
        var filled = starts
        positions = Array(repeating: 0, count: Int(starts[starts.count - 1]))
        for (place, slot) in zip(distinctive, slots) where filled[slot] < starts[slot + 1] {
            positions[Int(filled[slot])] = Int32(place)
            filled[slot] += 1
        }
    }
}
