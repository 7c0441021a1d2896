// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the grams of a version are: of every 8th packet, and the last one.
///
/// The other version is looked up at every packet, so that 15 packets on end (0.4 s) that are common to both and unlike
/// each other are always found. What recurs all the time is left out: it tells little, and would cost without bound.
/// 0.9 MB for three hours.
struct GramIndex: Sendable {
    static let stride = 8
    /// The most places of a slot, and the most times it is answered.
    static let limit = 8

    /// The places, slot by slot.
    private var places: [Int32] = []
    /// Where each slot begins in `places`, and behind them where the last one ends.
    private var starts: [Int32] = [0, 0]
    private var answered: [UInt8] = [0]
    private var shift: UInt64 = 63

    init(_ hashes: UnsafeBufferPointer<UInt16>) {
        let telling = Self.sampled(hashes.count).filter { PacketGram.tellsPlaces(hashes, at: $0) }
        guard !telling.isEmpty else { return }
        let bits = max(1, Int.bitWidth - (2 * telling.count - 1).leadingZeroBitCount)
        shift = UInt64(UInt64.bitWidth - bits)
        answered = Array(repeating: 0, count: 1 << bits)
        let slots = telling.map { slot(of: PacketGram(hashes, at: $0)) }
        starts = Self.starts(of: slots, count: answered.count)
        fill(telling, slots)
    }

    /// The places whose gram may be this one, the last first; the caller compares.
    mutating func places(of gram: PacketGram) -> ReversedCollection<ArraySlice<Int32>> {
        let slot = slot(of: gram)
        guard slot + 1 < starts.count, answered[slot] < Self.limit else { return places[0..<0].reversed() }
        return places[Int(starts[slot])..<Int(starts[slot + 1])].reversed()
    }

    /// Says that the gram was found, which counts against the limit.
    mutating func note(_ gram: PacketGram) {
        let slot = slot(of: gram)
        if answered[slot] < Self.limit { answered[slot] += 1 }
    }

    private func slot(of gram: PacketGram) -> Int {
        Int(truncatingIfNeeded: gram.spread >> shift)
    }

    private static func sampled(_ count: Int) -> [Int] {
        guard count >= PacketGram.length else { return [] }
        let last = min(count, Int(Int32.max)) - PacketGram.length
        let regular = Array(Swift.stride(from: 0, through: last, by: stride))
        return regular.last == last ? regular : regular + [last]
    }

    /// Where each slot begins; those with too many places have none.
    private static func starts(of slots: [Int], count: Int) -> [Int32] {
        var starts = [Int32](repeating: 0, count: count + 1)
        for slot in slots { starts[slot + 1] += 1 }
        for slot in 1...count {
            starts[slot] = starts[slot - 1] + (starts[slot] > limit ? 0 : starts[slot])
        }
        return starts
    }

    private mutating func fill(_ telling: [Int], _ slots: [Int]) {
        var filled = starts
        places = Array(repeating: 0, count: Int(starts[starts.count - 1]))
        for (place, slot) in zip(telling, slots) where filled[slot] < starts[slot + 1] {
            places[Int(filled[slot])] = Int32(place)
            filled[slot] += 1
        }
    }
}
