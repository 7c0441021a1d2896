// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A ring of slots for requests and their responses, used in turn. The state of a slot determines which thread may
/// access it:
///
///     free ─ publish ─> sent ─ claim ─> performing ─ finish ─> answered ─ free ─> free
///                        └── withdraw ──────┴─> withdrawn ─ claim, or finish ─> free
///
/// The sender publishes and withdraws; the realtime thread claims and finishes.
///
/// Requests and responses are stored as untyped memory: a generic type here would have to be looked up in the
/// runtime's tables with each message, because the senders are in another module.
/// `@unchecked Sendable`: the release and acquire of its state hand each slot over.
struct MessageSlots: ~Copyable, @unchecked Sendable {  // see above
    enum State: UInt8 { case free, sent, performing, answered, withdrawn }

    let capacity: Int
    // Raw values: unless optimized, an enumeration that is loaded from an atomic is looked up in those tables.
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

    /// Returns the address of the request in a slot. The sender writes it while the slot is free; the realtime thread
    /// reads it after it has claimed the slot.
    func request(_ slot: Int) -> UnsafeMutableRawPointer { requests + slot &* requestStride }

    /// Returns the address of the response in a slot. The realtime thread writes it until it finishes; the sender
    /// reads it in the state `answered`.
    func response(_ slot: Int) -> UnsafeMutableRawPointer { responses + slot &* responseStride }

    func isIn(_ state: State, _ slot: Int) -> Bool { states[slot].load(ordering: .acquiring) == state.rawValue }

    private func set(_ slot: Int, to state: State) { states[slot].store(state.rawValue, ordering: .releasing) }

    /// Changes the state of a slot.
    /// - Returns: true if the slot was in the state `old`.
    private func change(_ slot: Int, from old: State, to new: State) -> Bool {
        states[slot].compareExchange(
            expected: old.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Publishes the request, which the sender has written.
    func publish(_ slot: Int) { set(slot, to: .sent) }

    /// Withdraws the request. Only the sender may call this.
    /// - Returns: the state the slot was in: `sent`, the request will not be performed; `performing`, its response
    ///   will not arrive; `answered`, nothing has changed.
    func withdraw(_ slot: Int) -> State {
        // In the order of the states, so that a slot that leaves one state in between is found in a later one.
        for state in [State.sent, .performing] where change(slot, from: state, to: .withdrawn) { return state }
        return .answered
    }

    /// Frees a slot after the sender has read the response.
    func free(_ slot: Int) { set(slot, to: .free) }

    /// True if the slot requires work by the realtime thread.
    func isDue(_ slot: Int) -> Bool { isIn(.sent, slot) || isIn(.withdrawn, slot) }

    /// Begins to perform a request. Only the realtime thread may call this.
    /// - Returns: false if the request was withdrawn; the slot is then free.
    func claim(_ slot: Int) -> Bool {
        let isClaimed = change(slot, from: .sent, to: .performing)
        if !isClaimed { free(slot) }
        return isClaimed
    }

    /// Publishes the response, which the realtime thread has written; frees the slot if the request was withdrawn in
    /// between.
    func finish(_ slot: Int) {
        if !change(slot, from: .performing, to: .answered) { free(slot) }
    }
}
