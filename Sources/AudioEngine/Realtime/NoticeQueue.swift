// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A queue of notices of one kind from the realtime thread to a thread that may block: small plain values, up to
/// about 64 bytes. Use `BlockQueue` for longer data.
///
/// ```swift
/// enum Notice: BitwiseCopyable, Sendable { case clipped(at: Int64), reached(beat: Int) }
/// let notices = NoticeQueue<Notice>(events: graph.events) { print($0) }
/// notices.post(.reached(beat: 4))             // on the realtime thread
/// ```
public final class NoticeQueue<Notice: BitwiseCopyable & Sendable>: EventSource {
    // Not an `SPSCQueue`: the notices belong to another module, so its type would be looked up with each of them.
    private let positions: RingPositions
    /// One thread at a time accesses a slot; `positions` hands it over.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Notice>
    private let refused = Atomic<Int>(0)
    private let receiver: @Sendable (Notice) -> Void

    /// - Parameters:
    ///   - capacity: the maximum number of waiting notices, rounded up to a power of two.
    ///   - receiver: called on the event thread, in order.
    public init(capacity: Int = 256, events: EventThread, _ receiver: @escaping @Sendable (Notice) -> Void) {
        positions = RingPositions(capacity: min(max(1, capacity), 1 << 24))
        slots = .allocate(capacity: positions.capacity)
        self.receiver = receiver
        events.attach(self)
    }

    deinit { slots.deallocate() }

    /// Posts a notice. Only the realtime thread may call it.
    /// - Returns: false if the queue is full; the notice is then lost, and counted.
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

    /// The number of notices that were lost because the queue was full.
    public var refusedNotices: Int { refused.load(ordering: .relaxed) }

    public func drainEvents() {
        while positions.hasElement() {
            let notice = slots[positions.slot(of: positions.readIndex)]
            positions.didRead(1)
            receiver(notice)
        }
    }
}
