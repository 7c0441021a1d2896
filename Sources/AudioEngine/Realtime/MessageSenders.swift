// SPDX-License-Identifier: GPL-3.0-or-later

/// The senders' bookkeeping of the slots of an exchange, with the handler of each response.
@usableFromInline
struct MessageSenders: Sendable {
    /// A handler of a response. A bare function would be wrapped again, and allocated, each time it is stored in a
    /// collection or read from one.
    @usableFromInline
    struct ResponseHandler: Sendable {
        /// The function that receives the address of a response, which is valid until the function returns, or the
        /// error.
        let handle: @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void

        @usableFromInline
        init(_ tell: @escaping @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void) { self.handle = tell }
    }

    /// The number of slots filled since the beginning, and the number of those whose response was handled.
    var sent = 0
    var handledCount = 0
    /// The handler of the response in each slot; `nil` if a thread waits for the response.
    private(set) var handlers: [ResponseHandler?]

    init(capacity: Int) { handlers = Array(repeating: nil, count: capacity) }

    /// Reserves the next slot.
    /// - Returns: the slot to fill; `nil` if none is free.
    mutating func reserveSlot(_ answer: ResponseHandler?) -> Int? {
        guard sent - handledCount < handlers.count else { return nil }
        let slot = sent % handlers.count
        handlers[slot] = answer
        sent += 1
        return slot
    }

    mutating func removeHandler(_ slot: Int) -> ResponseHandler? {
        defer { handlers[slot] = nil }
        return handlers[slot]
    }
}
