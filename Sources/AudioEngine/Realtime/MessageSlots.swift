// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The slots in which requests and their answers lie, used one after the other, round and round. Who may touch a slot
/// follows from its state:
///
///     free ─ publish ─> sent ─ claim ─> performing ─ finish ─> answered ─ takeResponse ─> free
///                        └── withdraw ──────┴─> withdrawn ─ claim, or finish ─> free
///
/// The sender publishes and withdraws; the realtime thread claims and finishes.
/// `@unchecked Sendable`: each slot is handed over by the release and acquire of its state.
struct MessageSlots<Request: BitwiseCopyable & Sendable, Response: BitwiseCopyable & Sendable>: ~Copyable,
    @unchecked Sendable  // by those two
{
    enum State: UInt8, AtomicRepresentable { case free, sent, performing, answered, withdrawn }

    let capacity: Int
    private let states: UnsafeMutablePointer<Atomic<State>>
    private let requests: UnsafeMutablePointer<Request>
    private let responses: UnsafeMutablePointer<Response>

    init(capacity: Int) {
        self.capacity = capacity
        states = .allocate(capacity: capacity)
        for slot in 0..<capacity { (states + slot).initialize(to: Atomic(.free)) }
        requests = .allocate(capacity: capacity)
        responses = .allocate(capacity: capacity)
    }

    deinit {
        states.deinitialize(count: capacity)
        states.deallocate()
        requests.deallocate()
        responses.deallocate()
    }

    func state(_ slot: Int) -> State { states[slot].load(ordering: .acquiring) }

    /// Sender: the slot is free.
    func publish(_ request: Request, in slot: Int) {
        requests[slot] = request
        states[slot].store(.sent, ordering: .releasing)
    }

    /// Sender: takes the request back.
    /// - Returns: the state it was in: `sent`, it will not be performed; `performing`, its answer will not come;
    ///   `answered`, nothing has changed.
    func withdraw(_ slot: Int) -> State {
        while true {
            let state = state(slot)
            guard state == .sent || state == .performing else { return state }
            let change = states[slot].compareExchange(
                expected: state, desired: .withdrawn, ordering: .acquiringAndReleasing)
            if change.exchanged { return state }
        }
    }

    /// Takes the answer, which is there, and frees the slot.
    func takeResponse(_ slot: Int) -> Response {
        let response = responses[slot]
        states[slot].store(.free, ordering: .releasing)
        return response
    }

    /// The realtime thread: whether there is something to do in the slot.
    func isDue(_ slot: Int) -> Bool {
        let state = state(slot)
        return state == .sent || state == .withdrawn
    }

    /// The realtime thread: begins with a request.
    /// - Returns: false where it was withdrawn; the slot is free then.
    func claim(_ slot: Int) -> Bool {
        let claim = states[slot].compareExchange(
            expected: .sent, desired: .performing, ordering: .acquiringAndReleasing)
        if !claim.exchanged { states[slot].store(.free, ordering: .releasing) }
        return claim.exchanged
    }

    /// The realtime thread: the request it has claimed.
    func request(_ slot: Int) -> Request { requests[slot] }

    /// The realtime thread: the answer, which nobody waits for any more where the request was withdrawn meanwhile.
    func finish(_ slot: Int, with response: Response) {
        responses[slot] = response
        let answer = states[slot].compareExchange(
            expected: .performing, desired: .answered, ordering: .acquiringAndReleasing)
        if !answer.exchanged { states[slot].store(.free, ordering: .releasing) }
    }
}
