// SPDX-License-Identifier: GPL-3.0-or-later

/// The senders' bookkeeping of the slots of an exchange, with the handler of each response.
@usableFromInline
struct MessageSenders: Sendable {
    /// A handler of a response. A bare function would be wrapped again, and allocated, each time it is stored in a
    /// collection or read from one.
    @usableFromInline
    struct Answer: Sendable {
        /// The function that receives the address of a response, which is valid until the function returns, or the
        /// error.
        let tell: @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void

        @usableFromInline
        init(_ tell: @escaping @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void) { self.tell = tell }
    }

    /// The number of slots filled since the beginning, and the number of those whose response was handled.
    var sent = 0
    var settled = 0
    /// The handler of the response in each slot; `nil` if a thread waits for the response.
    private(set) var answers: [Answer?]

    init(capacity: Int) { answers = Array(repeating: nil, count: capacity) }

    /// Reserves the next slot.
    /// - Returns: the slot to fill; `nil` if none is free.
    mutating func reserveSlot(_ answer: Answer?) -> Int? {
        guard sent - settled < answers.count else { return nil }
        let slot = sent % answers.count
        answers[slot] = answer
        sent += 1
        return slot
    }

    mutating func removeAnswer(_ slot: Int) -> Answer? {
        defer { answers[slot] = nil }
        return answers[slot]
    }
}
