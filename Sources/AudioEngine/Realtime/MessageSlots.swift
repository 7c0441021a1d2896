// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The slots in which requests and their answers lie, used one after the other, round and round. Who may touch a slot
/// follows from its state:
///
///     free ─ publish ─> sent ─ claim ─> performing ─ finish ─> answered ─ free ─> free
///                        └── withdraw ──────┴─> withdrawn ─ claim, or finish ─> free
///
/// The sender publishes and withdraws; the realtime thread claims and finishes.
///
/// What lies there is known by its address only: a generic type here would have to be looked up in the runtime's tables
/// with each message, for whoever sends is another module.
/// `@unchecked Sendable`: each slot is handed over by the release and acquire of its state.
struct MessageSlots: ~Copyable, @unchecked Sendable {  // by that
    enum State: UInt8, AtomicRepresentable { case free, sent, performing, answered, withdrawn }

    let capacity: Int
    private let states: UnsafeMutablePointer<Atomic<State>>
    private let requests: UnsafeMutableRawPointer
    private let requestStride: Int
    private let responses: UnsafeMutableRawPointer
    private let responseStride: Int

    init<Request: BitwiseCopyable, Response: BitwiseCopyable>(capacity: Int, of: Request.Type, _: Response.Type) {
        self.capacity = capacity
        states = .allocate(capacity: capacity)
        for slot in 0..<capacity { (states + slot).initialize(to: Atomic(.free)) }
        requests = UnsafeMutableRawPointer(UnsafeMutablePointer<Request>.allocate(capacity: capacity))
        responses = UnsafeMutableRawPointer(UnsafeMutablePointer<Response>.allocate(capacity: capacity))
        (requestStride, responseStride) = (MemoryLayout<Request>.stride, MemoryLayout<Response>.stride)
    }

    deinit {
        states.deinitialize(count: capacity)
        states.deallocate()
        requests.deallocate()
        responses.deallocate()
    }

    /// The request in a slot: the sender's to write while it is free, the realtime thread's to read when it has claimed
    /// it.
    func request(_ slot: Int) -> UnsafeMutableRawPointer { requests + slot &* requestStride }

    /// The answer in a slot: the realtime thread's to write until it finishes, the sender's to read when answered.
    func response(_ slot: Int) -> UnsafeMutableRawPointer { responses + slot &* responseStride }

    func state(_ slot: Int) -> State { states[slot].load(ordering: .acquiring) }

    /// Sender: the request is written.
    func publish(_ slot: Int) { states[slot].store(.sent, ordering: .releasing) }

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

    /// Sender: the answer has been read.
    func free(_ slot: Int) { states[slot].store(.free, ordering: .releasing) }

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
        if !claim.exchanged { free(slot) }
        return claim.exchanged
    }

    /// The realtime thread: the answer is written; nobody waits for it any more where the request was withdrawn
    /// meanwhile.
    func finish(_ slot: Int) {
        let answer = states[slot].compareExchange(
            expected: .performing, desired: .answered, ordering: .acquiringAndReleasing)
        if !answer.exchanged { free(slot) }
    }
}
