// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// Requests to the realtime thread and its answers, without a lock between them: small plain values, up to some 64
/// bytes (`BlockQueue` takes what is longer; `NoticeQueue` what the realtime thread has to say unasked).
///
/// ```swift
/// enum Request: BitwiseCopyable, Sendable { case play(note: Int, velocity: Float), countVoices }
/// let exchange = MessageExchange<Request, Int>(events: graph.events) { request, slice in
///     synthesizer.perform(request, at: slice)                     // on the realtime thread
/// }
/// graph.add(exchange)
/// try exchange.send(.play(note: 60, velocity: 1))                 // and never mind the answer
/// try exchange.send(.countVoices) { print($0) }                   // told on the event thread
/// let voices = try await exchange.response(to: .countVoices)      // from any task, the main actor's too
/// let again = try exchange.response(to: .countVoices, within: .seconds(1))    // waits
/// ```
/// Requests are performed before a slice is rendered, each once, in the order they were sent.
public final class MessageExchange<Request, Response>: Sendable
where Request: BitwiseCopyable & Sendable, Response: BitwiseCopyable & Sendable {
    public typealias Outcome = Result<Response, MessageFailure>
    public typealias Answer = @Sendable (Outcome) -> Void

    private let slots: MessageSlots
    private let perform: @Sendable (Request, AudioTimeStamp) -> Response
    private let senders: Mutex<MessageSenders>
    private let refused = Atomic<Int>(0)
    /// How many slots the realtime thread has passed. Its own.
    private let passed = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: requests that may be unanswered at a time.
    ///   - events: tells answers.
    ///   - perform: called on the realtime thread with each request and the slice about to be rendered. It must not
    ///     lock, allocate, wait or call out.
    public init(
        capacity: Int = 256, events: EventThread,
        _ perform: @escaping @Sendable (Request, AudioTimeStamp) -> Response
    ) {
        slots = MessageSlots(capacity: min(max(1, capacity), 1 << 20), of: Request.self, Response.self)
        senders = Mutex(MessageSenders(capacity: slots.capacity))
        self.perform = perform
        events.attach(self)
    }

    deinit {
        drainEvents()
        for case let answer? in senders.withLock({ $0.answers }) { answer.tell(.failure(.closed)) }
    }

    // MARK: Any thread but the realtime one

    /// Sends a request.
    /// - Parameter answer: called once: on the event thread, with the answer; or by whoever lets go of the exchange,
    ///   with the answer if there is one, else with `closed`.
    /// - Throws: `queueFull`.
    @inlinable
    public func send(_ request: Request, then answer: @escaping Answer = { _ in }) throws(MessageFailure) {
        let teller = MessageSenders.Answer { answer($0.map { $0.load(as: Response.self) }) }
        guard enqueue(request, teller) != nil else { throw .queueFull }
    }

    /// Sends a request and suspends until it is answered, which is as soon as a slice is rendered and events are told.
    /// Where nothing is rendered it waits until its task is cancelled.
    /// - Throws: `queueFull`; `cancelled` or `unanswered` where the task is cancelled before the answer is there.
    public func response(to request: Request) async throws(MessageFailure) -> Response {
        let awaited = AwaitedOutcome<Response>()
        let teller = MessageSenders.Answer { awaited.settle($0.map { $0.load(as: Response.self) }) }
        guard let number = enqueue(request, teller) else { throw .queueFull }
        let outcome = await withTaskCancellationHandler {
            await awaited.outcome()
        } onCancel: {
            giveUp(number)
        }
        return try outcome.get()
    }

    /// Sends a request and waits for its answer, which does not need the event thread. It blocks the calling thread.
    /// - Parameter limit: where nothing is rendered the request is withdrawn after this time.
    /// - Throws: `queueFull`, `timedOut`, `unanswered`.
    public func response(to request: Request, within limit: Duration) throws(MessageFailure) -> Response {
        let deadline = ContinuousClock.now + limit
        guard let number = enqueue(request, nil) else { throw .queueFull }
        let slot = number % slots.capacity
        while !slots.isIn(.answered, slot), ContinuousClock.now < deadline {
            // It looks instead of being woken: the realtime thread makes no system call.
            usleep(200)
        }
        switch slots.withdraw(slot) {
        case .answered: return takeResponse(slot)
        case .performing: throw .unanswered
        default: throw .timedOut
        }
    }

    /// Requests that found no room.
    public var refusedRequests: Int { refused.load(ordering: .relaxed) }

    /// - Returns: the request's number, counted from 0; `nil` where no slot is free.
    @usableFromInline
    func enqueue(_ request: Request, _ answer: MessageSenders.Answer?) -> Int? {
        let number = senders.withLock { senders -> Int? in
            settleWaited(&senders)
            guard let slot = senders.take(answer) else { return nil }
            slots.request(slot).initializeMemory(as: Request.self, to: request)
            slots.publish(slot)
            return senders.sent - 1
        }
        if number == nil { refused.add(1, ordering: .relaxed) }
        return number
    }

    /// Takes a request back, unless its answer has been told, and tells what became of it.
    private func giveUp(_ number: Int) {
        let slot = number % slots.capacity
        let told = senders.withLock { senders -> (MessageSenders.Answer, Outcome)? in
            // A request that is settled has left its slot to another.
            guard number >= senders.settled, let answer = senders.takeAnswer(slot) else { return nil }
            switch slots.withdraw(slot) {
            case .answered: return (answer, .success(takeResponse(slot)))
            case .performing: return (answer, .failure(.unanswered))
            default: return (answer, .failure(.cancelled))
            }
        }
        switch told {
        case (let answer, .success(let response))?:
            withUnsafePointer(to: response) { answer.tell(.success(UnsafeRawPointer($0))) }
        case (let answer, .failure(let failure))?: answer.tell(.failure(failure))
        case nil: break
        }
    }

    /// Takes the answer, which is there, and frees the slot.
    private func takeResponse(_ slot: Int) -> Response {
        defer { slots.free(slot) }
        return slots.response(slot).load(as: Response.self)
    }
}

extension MessageExchange: TimingReceiver {
    /// Performs what was sent.
    public func willRender(_ slice: AudioTimeStamp, frames: Int) {
        var next = passed.load(ordering: .relaxed)
        while case let slot = next % slots.capacity, slots.isDue(slot) {
            if slots.claim(slot) {
                let response = perform(slots.request(slot).load(as: Request.self), slice)
                slots.response(slot).initializeMemory(as: Response.self, to: response)
                slots.finish(slot)
            }
            next += 1
        }
        passed.store(next, ordering: .relaxed)
    }
}

extension MessageExchange: EventSource {
    /// Tells the answers there are.
    public func drainEvents() {
        // Each is told when its slot is free again: who is told may send.
        withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) { room in
            guard let response = UnsafeMutableRawBufferPointer(room).baseAddress else { return }
            while let answer = nextAnswer(response, MemoryLayout<Response>.size) { answer.tell(.success(response)) }
        }
    }

    /// Takes the next answer, of `size` bytes.
    private func nextAnswer(_ response: UnsafeMutableRawPointer, _ size: Int) -> MessageSenders.Answer? {
        senders.withLock { senders in
            settleWaited(&senders)
            let slot = senders.settled % slots.capacity
            guard senders.settled < senders.sent, slots.isIn(.answered, slot),
                let answer = senders.takeAnswer(slot)
            else { return nil }
            senders.settled += 1
            response.copyMemory(from: slots.response(slot), byteCount: size)
            slots.free(slot)
            return answer
        }
    }

    /// Passes over the slots that whoever waited for them has freed.
    private func settleWaited(_ senders: inout MessageSenders) {
        while senders.settled < senders.sent {
            let slot = senders.settled % slots.capacity
            guard senders.answers[slot] == nil, slots.isIn(.free, slot) else { return }
            senders.settled += 1
        }
    }
}
