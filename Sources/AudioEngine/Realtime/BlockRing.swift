// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The memory of a `BlockQueue`, in words of 8 bytes. A block is a word with its length, followed by its bytes
/// without a break. If the end of the ring is too short for the next block, a length of `skip` marks it as unused.
///
/// `@unchecked Sendable`: the writer touches only words that `RingPositions` counts as free, and the reader only those
/// that it counts as written; each side releases its words when it is done with them.
struct BlockRing: ~Copyable, @unchecked Sendable {
    private static var skip: Int { @_noLocks @_noAllocation get { -1 } }

    private let positions: RingPositions
    private let memory: UnsafeMutablePointer<Int>
    private let refused = Atomic<Int>(0)

    init(words: Int) {
        positions = RingPositions(capacity: words)
        memory = .allocate(capacity: positions.capacity)
        memory.initialize(repeating: 0, count: positions.capacity)
    }

    deinit { memory.deallocate() }

    var words: Int { positions.capacity }
    var refusals: Int { refused.load(ordering: .relaxed) }

    @_noLocks @_noAllocation
    func write(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        let needed = 1 &+ (count &+ 7) / 8
        let slot = positions.slot(of: positions.writeIndex)
        let untilEnd = positions.capacity &- slot
        let skipped = needed > untilEnd ? untilEnd : 0
        guard needed <= positions.capacity / 2, positions.hasRoom(for: needed &+ skipped) else {
            refused.add(1, ordering: .relaxed)
            return false
        }
        if skipped > 0 { memory[slot] = Self.skip }
        let start = skipped > 0 ? 0 : slot
        memory[start] = count
        copy(bytes, count, to: UnsafeMutableRawPointer(memory + start + 1))
        positions.didWrite(needed &+ skipped)
        return true
    }

    @_noLocks @_noAllocation
    private func copy(_ bytes: UnsafeRawPointer?, _ count: Int, to target: UnsafeMutableRawPointer) {
        guard let bytes else { return }
        var index = 0
        while index &+ 8 <= count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
            target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
    }

    /// The oldest block, which stays in the ring.
    var front: UnsafeRawBufferPointer? {
        @_noLocks @_noAllocation get {
            guard positions.hasElement() else { return nil }
            if memory[positions.slot(of: positions.readIndex)] == Self.skip {
                positions.didRead(positions.capacity &- positions.slot(of: positions.readIndex))
            }
            let slot = positions.slot(of: positions.readIndex)
            return UnsafeRawBufferPointer(start: UnsafeRawPointer(memory + slot + 1), count: memory[slot])
        }
    }

    /// Removes the oldest block, which `front` must have returned before.
    @_noLocks @_noAllocation
    func removeFront() {
        positions.didRead(1 &+ (memory[positions.slot(of: positions.readIndex)] &+ 7) / 8)
    }
}
