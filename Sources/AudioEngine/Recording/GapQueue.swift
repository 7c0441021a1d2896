// SPDX-License-Identifier: GPL-3.0-or-later

/// Gaps on their way to the writing thread. Not an `SPSCQueue`: a debug build compiles file by file, and the checker of
/// `@_noLocks` must see the body of what is generic.
///
/// `@unchecked Sendable`: a slot is touched by one thread at a time, as `RingPositions` settles.
struct GapQueue: ~Copyable, @unchecked Sendable {
    private let positions: RingPositions
    private let slots: UnsafeMutablePointer<RecordingGap>

    /// - Parameter capacity: gaps, rounded up to a power of two.
    init(capacity: Int) {
        positions = RingPositions(capacity: capacity)
        slots = .allocate(capacity: positions.capacity)
    }

    deinit { slots.deallocate() }

    /// The realtime thread: appends a gap, or answers false when the queue is full.
    @_noLocks @_noAllocation
    func push(_ gap: RecordingGap) -> Bool {
        guard positions.hasRoom(for: 1) else { return false }
        slots[positions.slot(of: positions.writeIndex)] = gap
        positions.didWrite(1)
        return true
    }

    /// The writing thread: takes the oldest gap away.
    func pop() -> RecordingGap? {
        guard positions.hasElement() else { return nil }
        defer { positions.didRead(1) }
        return slots[positions.slot(of: positions.readIndex)]
    }
}
