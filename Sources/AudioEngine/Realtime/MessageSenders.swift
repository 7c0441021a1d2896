// SPDX-License-Identifier: GPL-3.0-or-later

/// How far those who send have come with the slots of an exchange, and who is to be told what.
@usableFromInline
struct MessageSenders: Sendable {
    /// Who takes an answer. A function by itself would be wrapped anew, and allocated, each time it is put into a
    /// collection or taken out.
    @usableFromInline
    struct Answer: Sendable {
        /// Takes the address of an answer, which is there until it returns, or why there is none.
        let tell: @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void

        @usableFromInline
        init(_ tell: @escaping @Sendable (Result<UnsafeRawPointer, MessageFailure>) -> Void) { self.tell = tell }
    }

    /// Slots filled since the beginning, and of those the ones whose answer was looked after.
    var sent = 0
    var settled = 0
    /// What takes the answer in each slot; none where somebody waits for it.
    private(set) var answers: [Answer?]

    init(capacity: Int) { answers = Array(repeating: nil, count: capacity) }

    /// - Returns: the slot filled next; `nil` where none is free.
    mutating func take(_ answer: Answer?) -> Int? {
        guard sent - settled < answers.count else { return nil }
        let slot = sent % answers.count
        answers[slot] = answer
        sent += 1
        return slot
    }

    mutating func takeAnswer(_ slot: Int) -> Answer? {
        defer { answers[slot] = nil }
        return answers[slot]
    }
}
