// SPDX-License-Identifier: GPL-3.0-or-later

/// A queue of gaps for the writing thread. It is not an `SPSCQueue`, because a debug build compiles each file
/// separately, and the `@_noLocks` checker must see the body of generic code.
///
/// `@unchecked Sendable`: one thread at a time accesses a slot, as `RingPositions` determines.
struct GapQueue: ~Copyable, @unchecked Sendable {
    private let positions: RingPositions
    private let slots: UnsafeMutablePointer<RecordingGap>

    /// - Parameter capacity: gaps, rounded up to a power of two.
    init(capacity: Int) {
        positions = RingPositions(capacity: capacity)
        slots = .allocate(capacity: positions.capacity)
    }

    deinit { slots.deallocate() }

    /// Appends a gap, or returns false if the queue is full. Only the realtime thread may call this.
    @_noLocks @_noAllocation
    func push(_ gap: RecordingGap) -> Bool {
        guard positions.hasRoom(for: 1) else { return false }
        slots[positions.slot(of: positions.writeIndex)] = gap
        positions.didWrite(1)
        return true
    }

    /// Removes and returns the oldest gap. Only the writing thread may call this.
    func pop() -> RecordingGap? {
        guard positions.hasElement() else { return nil }
        defer { positions.didRead(1) }
        return slots[positions.slot(of: positions.readIndex)]
    }
}
