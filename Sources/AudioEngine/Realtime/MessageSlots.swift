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
    enum State: UInt8 { case free, sent, performing, answered, withdrawn }

    let capacity: Int
    // By number: unless optimized, an enumeration that comes out of an atomic is looked up in those tables.
    private let states: UnsafeMutablePointer<Atomic<State.RawValue>>
    private let requests: UnsafeMutableRawPointer
    private let requestStride: Int
    private let responses: UnsafeMutableRawPointer
    private let responseStride: Int

    init<Request: BitwiseCopyable, Response: BitwiseCopyable>(capacity: Int, of: Request.Type, _: Response.Type) {
        self.capacity = capacity
        states = .allocate(capacity: capacity)
        for slot in 0..<capacity { (states + slot).initialize(to: Atomic(State.free.rawValue)) }
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

    func isIn(_ state: State, _ slot: Int) -> Bool { states[slot].load(ordering: .acquiring) == state.rawValue }

    private func set(_ slot: Int, to state: State) { states[slot].store(state.rawValue, ordering: .releasing) }

    /// - Returns: whether it was in the state it was to leave.
    private func change(_ slot: Int, from old: State, to new: State) -> Bool {
        states[slot].compareExchange(
            expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Sender: the request is written.
    func publish(_ slot: Int) { set(slot, to: .sent) }

    /// Sender: takes the request back.
    /// - Returns: the state it was in: `sent`, it will not be performed; `performing`, its answer will not come;
    ///   `answered`, nothing has changed.
    func withdraw(_ slot: Int) -> State {
        // In the order of the states: what leaves one meanwhile is found in a later one.
        for state in [State.sent, .performing] where change(slot, from: state, to: .withdrawn) { return state }
        return .answered
    }

    /// Sender: the answer has been read.
    func free(_ slot: Int) { set(slot, to: .free) }

    /// The realtime thread: whether there is something to do in the slot.
    func isDue(_ slot: Int) -> Bool { isIn(.sent, slot) || isIn(.withdrawn, slot) }

    /// The realtime thread: begins with a request.
    /// - Returns: false where it was withdrawn; the slot is free then.
    func claim(_ slot: Int) -> Bool {
        let isClaimed = change(slot, from: .sent, to: .performing)
        if !isClaimed { free(slot) }
        return isClaimed
    }

    /// The realtime thread: the answer is written; nobody waits for it any more where the request was withdrawn
    /// meanwhile.
    func finish(_ slot: Int) {
        if !change(slot, from: .performing, to: .answered) { free(slot) }
    }
}
