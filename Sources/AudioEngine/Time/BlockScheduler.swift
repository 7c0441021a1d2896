// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// A scheduler that performs actions on the realtime thread at exact frames: before each slice is rendered, it
/// performs the actions due in it, `[t, t + n)`, in the order of time; actions at one frame run in the order they
/// were scheduled.
///
/// ```swift
/// let scheduler = BlockScheduler(for: graph)
/// scheduler.schedule(at: .sampleTime(48_000), identifier: "beat") { voices.trigger(offset: $0.offset) } then: { _ in
///     light.flash()
/// }
/// scheduler.cancel("beat")
/// ```
/// An action is created and released off the realtime thread. While it runs on the realtime thread, it must not lock,
/// allocate, wait or make system calls, and must not use this scheduler. An action whose time has passed when it is
/// scheduled is late: it runs at the first frame of the next slice, and `ScheduledMoment.isLate` is true.
public final class BlockScheduler: TimingReceiver {
    /// A closure that receives the moment of its action: the action on the realtime thread, or its response
    /// afterwards.
    public typealias Action = @Sendable (ScheduledMoment) -> Void
    /// The maximum number of pending actions.
    public let capacity: Int

    private let sampleRate: Int
    private let book: Mutex<SchedulerTable>
    private let requests: SPSCQueue<SchedulerRequest>
    private let done: SPSCQueue<SchedulerOutcome>
    private let refused = Atomic<Int>(0)
    /// The pending actions by frame, which only the rendering thread dereferences.
    private nonisolated(unsafe) let heap: UnsafeMutablePointer<EventHeap>
    /// The action of each slot: written before its request is pushed, read until its outcome is pushed, removed after
    /// that.
    private nonisolated(unsafe) let actions: UnsafeMutablePointer<StoredAction>
    /// The claim of each slot: the first one to claim it, the realtime thread or `cancel`, has the action.
    private nonisolated(unsafe) let claims: UnsafeMutablePointer<Atomic<Bool>>  // the atomics do not move

    /// - Parameters:
    ///   - capacity: the maximum number of pending actions, 1 or more.
    ///   - sampleRate: the rate of the graph, which converts moments to frames.
    ///   - events: calls the responses, and releases the actions.
    public init(capacity: Int = 1024, sampleRate: Int, events: EventThread) {
        self.capacity = min(max(1, capacity), 1 << 24)
        self.sampleRate = sampleRate
        book = Mutex(SchedulerTable(capacity: self.capacity))
        // There is at most one request to perform and one to cancel for each slot, so neither queue is ever full.
        requests = SPSCQueue(capacity: self.capacity * 2)
        done = SPSCQueue(capacity: self.capacity)
        heap = .allocate(capacity: 1)
        heap.initialize(to: EventHeap(capacity: self.capacity))
        actions = .allocate(capacity: self.capacity)
        actions.initialize(repeating: StoredAction(), count: self.capacity)
        claims = .allocate(capacity: self.capacity)
        for slot in 0..<self.capacity { (claims + slot).initialize(to: Atomic(false)) }
        events.attach(self)
    }

    /// Creates a scheduler with the graph's rate and event thread, and adds it to the graph's receivers.
    public convenience init(for graph: RenderGraph, capacity: Int = 1024) {
        self.init(capacity: capacity, sampleRate: graph.format.sampleRate, events: graph.events)
        graph.add(self)
    }

    deinit {
        heap.pointee.deallocate()
        heap.deallocate()
        actions.deinitialize(count: capacity)
        actions.deallocate()
        claims.deinitialize(count: capacity)
        claims.deallocate()
    }

    // MARK: Any thread but the realtime one

    /// Schedules an action.
    /// - Parameters:
    ///   - identifier: the name with which `cancel` finds the action; several actions may have the same.
    ///   - action: performed on the realtime thread.
    ///   - response: called afterwards on the event thread, with the same moment.
    /// - Returns: false if `capacity` actions are pending already; the action is then not scheduled.
    @discardableResult
    public func schedule(
        at start: StartTime, identifier: String = "", _ action: @escaping Action,
        then response: (Action)? = nil
    ) -> Bool {
        let isTaken = book.withLock { book in
            guard let slot = book.reserve(identifier, response) else { return false }
            actions[slot].perform = action
            claims[slot].store(false, ordering: .relaxed)
            return requests.push(SchedulerRequest(slot: slot, order: book.nextOrder(), purpose: .perform(start)))
        }
        if !isTaken { refused.add(1, ordering: .relaxed) }
        return isTaken
    }

    /// Schedules an action like the method above, and calls the response on the main actor.
    @discardableResult
    public func schedule(
        at start: StartTime, identifier: String = "", _ action: @escaping Action,
        thenOnMain response: @escaping @MainActor @Sendable (ScheduledMoment) -> Void
    ) -> Bool {
        schedule(at: start, identifier: identifier, action) { moment in
            Task { @MainActor in response(moment) }
        }
    }

    /// Cancels all pending actions with this identifier: from now on none of them is performed, and no response is
    /// called.
    /// - Returns: the number of cancelled actions, not counting those that were already performed or are being
    ///   performed.
    @discardableResult
    public func cancel(_ identifier: String) -> Int {
        book.withLock { book in
            let slots = book.slots(of: identifier).filter { claim($0) }
            for slot in slots { _ = requests.push(SchedulerRequest(slot: slot, order: 0, purpose: .cancel)) }
            return slots.count
        }
    }

    /// The number of pending actions, including cancelled ones until the next slice.
    public var pendingActions: Int { book.withLock { $0.count } }
    /// The number of calls of `schedule` that returned false.
    public var refusedActions: Int { refused.load(ordering: .relaxed) }

    /// Claims a slot.
    /// - Returns: true if no other thread had claimed it.
    private func claim(_ slot: Int) -> Bool { !claims[slot].exchange(true, ordering: .acquiringAndReleasing) }

    // MARK: The realtime thread

    public func willRender(_ slice: AudioTimeStamp, frames: Int) {
        while let request = requests.front {
            requests.removeFront()
            apply(request, in: slice)
        }
        while let event = heap.pointee.removeFirst(before: slice.sampleTime.addingClamped(Int64(frames))) {
            guard claim(event.slot) else { continue }
            let offset = Int(max(0, event.frame.subtractingClamped(slice.sampleTime)))
            let moment = ScheduledMoment(slice: slice, frames: frames, offset: offset, sampleTime: event.frame)
            actions[event.slot].perform?(moment)
            _ = done.push(SchedulerOutcome(slot: event.slot, moment: moment))
        }
    }

    private func apply(_ request: SchedulerRequest, in slice: AudioTimeStamp) {
        switch request.purpose {
        case .perform(let start):
            let frame = slice.sampleTime(of: start, sampleRate: sampleRate)
            heap.pointee.insert(request.slot, frame: frame, order: request.order)
        case .cancel:
            heap.pointee.remove(request.slot)
            _ = done.push(SchedulerOutcome(slot: request.slot, moment: nil))
        }
    }
}

extension BlockScheduler: EventSource {
    /// Calls the responses of the performed actions, and releases the actions.
    public func drainEvents() {
        while let outcome = done.front {
            done.removeFront()
            // The action and the response are released outside the lock, because an object that they retain may
            // schedule again in its deinitializer.
            let (action, response) = book.withLock { book in
                let action = (actions + outcome.slot).move()
                (actions + outcome.slot).initialize(to: StoredAction())
                return (action, book.freeSlot(outcome.slot))
            }
            if let moment = outcome.moment { response.perform?(moment) }
            withExtendedLifetime(action) {}
        }
    }
}
