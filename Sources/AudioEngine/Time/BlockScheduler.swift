// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Performs actions on the realtime thread at an exact frame: told before each slice is rendered, it performs those due
/// in it, `[t, t + n)`, in the order of time; of those at one frame, in the order they were scheduled.
///
/// ```swift
/// let scheduler = BlockScheduler(for: graph)
/// scheduler.schedule(at: .sampleTime(48_000), identifier: "beat") { voices.trigger(offset: $0.offset) } then: { _ in
///     light.flash()
/// }
/// scheduler.cancel("beat")
/// ```
/// An action is made and let go of off the realtime thread; on it, it must not lock, allocate, wait or call out, and
/// that includes this scheduler. One that is past when it is scheduled is late: performed in the next slice, at its
/// first frame, and told so.
public final class BlockScheduler: TimingReceiver {
    public typealias Action = @Sendable (ScheduledMoment) -> Void
    /// The most that may be pending.
    public let capacity: Int

    private let sampleRate: Int
    private let book: Mutex<SchedulerBook>
    private let requests: SPSCQueue<SchedulerRequest>
    private let done: SPSCQueue<SchedulerOutcome>
    private let refused = Atomic<Int>(0)
    /// The rendering thread alone dereferences it.
    private nonisolated(unsafe) let heap: UnsafeMutablePointer<EventHeap>
    /// A slot's action is written before its request is pushed, read until its outcome is pushed, removed after that.
    private nonisolated(unsafe) let actions: UnsafeMutablePointer<HeldAction>
    /// Who comes first, the realtime thread or `cancel`, has the action.
    private nonisolated(unsafe) let claims: UnsafeMutablePointer<Atomic<Bool>>  // they stay where they are

    /// - Parameters:
    ///   - capacity: how many actions may be pending, 1 or more.
    ///   - sampleRate: of the graph; by it moments become frames.
    ///   - events: tells that an action was performed, and lets go of it.
    public init(capacity: Int = 1024, sampleRate: Int, events: EventThread) {
        self.capacity = min(max(1, capacity), 1 << 24)
        self.sampleRate = sampleRate
        book = Mutex(SchedulerBook(capacity: self.capacity))
        // At most one request to perform and one to cancel for each slot: neither queue is ever full.
        requests = SPSCQueue(capacity: self.capacity * 2)
        done = SPSCQueue(capacity: self.capacity)
        heap = .allocate(capacity: 1)
        heap.initialize(to: EventHeap(capacity: self.capacity))
        actions = .allocate(capacity: self.capacity)
        actions.initialize(repeating: HeldAction(), count: self.capacity)
        claims = .allocate(capacity: self.capacity)
        for slot in 0..<self.capacity { (claims + slot).initialize(to: Atomic(false)) }
        events.attach(self)
    }

    /// A scheduler of the graph's rate and event thread, which the graph tells of each slice.
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

    /// - Parameters:
    ///   - identifier: by which it can be cancelled; several may have the same.
    ///   - action: performed on the realtime thread.
    ///   - response: called afterwards on the event thread, with the same moment.
    /// - Returns: false, and nothing will happen, where `capacity` actions are pending already.
    @discardableResult
    public func schedule(
        at start: StartTime, identifier: String = "", _ action: @escaping Action,
        then response: (Action)? = nil
    ) -> Bool {
        let isTaken = book.withLock { book in
            guard let slot = book.take(identifier, response) else { return false }
            actions[slot].perform = action
            claims[slot].store(false, ordering: .relaxed)
            return requests.push(SchedulerRequest(slot: slot, order: book.nextOrder(), purpose: .perform(start)))
        }
        if !isTaken { refused.add(1, ordering: .relaxed) }
        return isTaken
    }

    /// As above, and the response is called on the main actor.
    @discardableResult
    public func schedule(
        at start: StartTime, identifier: String = "", _ action: @escaping Action,
        thenOnMain response: @escaping @MainActor @Sendable (ScheduledMoment) -> Void
    ) -> Bool {
        schedule(at: start, identifier: identifier, action) { moment in
            Task { @MainActor in response(moment) }
        }
    }

    /// Cancels all pending actions of that identifier: none of them is performed from now on, nor answered.
    /// - Returns: how many; those already performed, or being so, are not among them.
    @discardableResult
    public func cancel(_ identifier: String) -> Int {
        book.withLock { book in
            let slots = book.slots(of: identifier).filter { claim($0) }
            for slot in slots { _ = requests.push(SchedulerRequest(slot: slot, order: 0, purpose: .cancel)) }
            return slots.count
        }
    }

    /// Actions pending, those cancelled included until the next slice.
    public var pendingActions: Int { book.withLock { $0.count } }
    /// How often `schedule` was answered with false.
    public var refusedActions: Int { refused.load(ordering: .relaxed) }

    /// - Returns: whether nobody else had it.
    private func claim(_ slot: Int) -> Bool { !claims[slot].exchange(true, ordering: .acquiringAndReleasing) }

    // MARK: The realtime thread

    public func willRender(_ slice: AudioTimeStamp, frames: Int) {
        while let request = requests.front {
            requests.removeFront()
            take(request, in: slice)
        }
        while let event = heap.pointee.takeFirst(before: slice.sampleTime.addingClamped(Int64(frames))) {
            guard claim(event.slot) else { continue }
            let offset = Int(max(0, event.frame.subtractingClamped(slice.sampleTime)))
            let moment = ScheduledMoment(slice: slice, frames: frames, offset: offset, sampleTime: event.frame)
            actions[event.slot].perform?(moment)
            _ = done.push(SchedulerOutcome(slot: event.slot, moment: moment))
        }
    }

    private func take(_ request: SchedulerRequest, in slice: AudioTimeStamp) {
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
    /// Tells what was performed, and lets go of the actions.
    public func drainEvents() {
        while let outcome = done.front {
            done.removeFront()
            // Action and response are let go of outside the lock: they may hold whatever schedules again when it goes.
            let (action, response) = book.withLock { book in
                let action = (actions + outcome.slot).move()
                (actions + outcome.slot).initialize(to: HeldAction())
                return (action, book.giveBack(outcome.slot))
            }
            if let moment = outcome.moment { response.perform?(moment) }
            withExtendedLifetime(action) {}
        }
    }
}
