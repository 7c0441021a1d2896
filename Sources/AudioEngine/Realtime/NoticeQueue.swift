// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// Notices of one kind from the realtime thread to whoever takes its time: small plain values, up to some 64 bytes.
/// `BlockQueue` takes what is longer.
///
/// ```swift
/// enum Notice: BitwiseCopyable, Sendable { case clipped(at: Int64), reached(beat: Int) }
/// let notices = NoticeQueue<Notice>(events: graph.events) { print($0) }
/// notices.post(.reached(beat: 4))             // on the realtime thread
/// ```
public final class NoticeQueue<Notice: BitwiseCopyable & Sendable>: EventSource {
    // Not an `SPSCQueue`: notices are another module's, and its type would be looked up with each of them.
    private let positions: RingPositions
    /// A slot is touched by one thread at a time, handed over by `positions`.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Notice>
    private let refused = Atomic<Int>(0)
    private let receiver: @Sendable (Notice) -> Void

    /// - Parameters:
    ///   - capacity: notices that may wait, rounded up to a power of two.
    ///   - receiver: called on the event thread, in order.
    public init(capacity: Int = 256, events: EventThread, _ receiver: @escaping @Sendable (Notice) -> Void) {
        positions = RingPositions(capacity: min(max(1, capacity), 1 << 24))
        slots = .allocate(capacity: positions.capacity)
        self.receiver = receiver
        events.attach(self)
    }

    deinit { slots.deallocate() }

    /// The realtime thread, and it alone: leaves a notice.
    /// - Returns: false where the queue is full; the notice is lost, and counted.
    @discardableResult
    public func post(_ notice: Notice) -> Bool {
        guard positions.hasRoom(for: 1) else {
            refused.add(1, ordering: .relaxed)
            return false
        }
        slots[positions.slot(of: positions.writeIndex)] = notice
        positions.didWrite(1)
        return true
    }

    /// Notices that found no room.
    public var refusedNotices: Int { refused.load(ordering: .relaxed) }

    public func drainEvents() {
        while positions.hasElement() {
            let notice = slots[positions.slot(of: positions.readIndex)]
            positions.didRead(1)
            receiver(notice)
        }
    }
}
