// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// A lock-free exchange of requests to the realtime thread and its responses: small plain values, up to about 64
/// bytes. Use `BlockQueue` for longer data, and `NoticeQueue` for messages that the realtime thread sends without a
/// request.
///
/// ```swift
/// enum Request: BitwiseCopyable, Sendable { case play(note: Int, velocity: Float), countVoices }
/// let exchange = MessageExchange<Request, Int>(events: graph.events) { request, slice in
///     synthesizer.perform(request, at: slice)                     // on the realtime thread
/// }
/// graph.add(exchange)
/// try exchange.send(.play(note: 60, velocity: 1))                 // ignores the response
/// try exchange.send(.countVoices) { print($0) }                   // called on the event thread
/// let voices = try await exchange.response(to: .countVoices)      // from any task, including the main actor's
/// let again = try exchange.response(to: .countVoices, within: .seconds(1))    // blocks
/// ```
/// The realtime thread performs requests before it renders a slice, each once, in the order they were sent.
public final class MessageExchange<Request, Response>: Sendable
where Request: BitwiseCopyable & Sendable, Response: BitwiseCopyable & Sendable {
    /// The response to a request, or the error that explains its absence.
    public typealias Outcome = Result<Response, MessageFailure>
    /// A handler of the outcome of a request.
    public typealias CompletionHandler = @Sendable (Outcome) -> Void

    private let slots: MessageSlots
    private let perform: @Sendable (Request, AudioTimeStamp) -> Response
    private let senders: Mutex<MessageSenders>
    private let refused = Atomic<Int>(0)
    /// The number of slots that the realtime thread has passed. Only that thread uses it.
    private let passed = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: the maximum number of unanswered requests.
    ///   - events: delivers responses.
    ///   - perform: called on the realtime thread with each request and the slice about to be rendered. It must not
    ///     lock, allocate, wait or make system calls.
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
        for case let answer? in senders.withLock({ $0.handlers }) { answer.handle(.failure(.closed)) }
    }

    // MARK: Any thread but the realtime one

    /// Sends a request.
    /// - Parameter answer: called once: on the event thread, with the response; or on the thread that releases the
    ///   exchange, with the response if there is one, else with `closed`.
    /// - Throws: `queueFull`.
    @inlinable
    public func send(_ request: Request, then answer: @escaping CompletionHandler = { _ in }) throws(MessageFailure) {
        let teller = MessageSenders.ResponseHandler { answer($0.map { $0.load(as: Response.self) }) }
        guard enqueue(request, teller) != nil else { throw .queueFull }
    }

    /// Sends a request and suspends until its response is delivered, which requires that a slice is rendered and the
    /// event thread drains. If nothing is rendered, it waits until its task is cancelled.
    /// - Throws: `queueFull`; `cancelled` or `unanswered` if the task is cancelled before the response arrives.
    public func response(to request: Request) async throws(MessageFailure) -> Response {
        let awaited = AwaitedOutcome<Response>()
        let teller = MessageSenders.ResponseHandler { awaited.complete($0.map { $0.load(as: Response.self) }) }
        guard let number = enqueue(request, teller) else { throw .queueFull }
        let outcome = await withTaskCancellationHandler {
            await awaited.outcome()
        } onCancel: {
            giveUp(number)
        }
        return try outcome.get()
    }

    /// Sends a request and blocks the calling thread until the response arrives. The event thread is not needed.
    /// - Parameter limit: the timeout; if nothing is rendered before it expires, the request is withdrawn.
    /// - Throws: `queueFull`, `timedOut`, `unanswered`.
    public func response(to request: Request, within limit: Duration) throws(MessageFailure) -> Response {
        let deadline = ContinuousClock.now + limit
        guard let number = enqueue(request, nil) else { throw .queueFull }
        let slot = number % slots.capacity
        while !slots.isIn(.answered, slot), ContinuousClock.now < deadline {
            // Polls, because the realtime thread makes no system call to wake this one.
            usleep(200)
        }
        switch slots.withdraw(slot) {
        case .answered: return removeResponse(slot)
        case .performing: throw .unanswered
        default: throw .timedOut
        }
    }

    /// The number of requests that were rejected because no slot was free.
    public var refusedRequests: Int { refused.load(ordering: .relaxed) }

    /// Writes a request into a free slot.
    /// - Returns: the number of the request, counted from 0; `nil` if no slot is free.
    @usableFromInline
    func enqueue(_ request: Request, _ answer: MessageSenders.ResponseHandler?) -> Int? {
        let number = senders.withLock { senders -> Int? in
            skipCompleted(&senders)
            guard let slot = senders.reserveSlot(answer) else { return nil }
            slots.request(slot).initializeMemory(as: Request.self, to: request)
            slots.publish(slot)
            return senders.sent - 1
        }
        if number == nil { refused.add(1, ordering: .relaxed) }
        return number
    }

    /// Withdraws a request, unless its response was delivered, and delivers the outcome.
    private func giveUp(_ number: Int) {
        let slot = number % slots.capacity
        let told = senders.withLock { senders -> (MessageSenders.ResponseHandler, Outcome)? in
            // The slot of a settled request may belong to another request.
            guard number >= senders.handledCount, let answer = senders.removeHandler(slot) else { return nil }
            switch slots.withdraw(slot) {
            case .answered: return (answer, .success(removeResponse(slot)))
            case .performing: return (answer, .failure(.unanswered))
            default: return (answer, .failure(.cancelled))
            }
        }
        switch told {
        case (let answer, .success(let response))?:
            withUnsafePointer(to: response) { answer.handle(.success(UnsafeRawPointer($0))) }
        case (let answer, .failure(let failure))?: answer.handle(.failure(failure))
        case nil: break
        }
    }

    /// Returns the response, which must exist, and frees the slot.
    private func removeResponse(_ slot: Int) -> Response {
        defer { slots.free(slot) }
        return slots.response(slot).load(as: Response.self)
    }
}

extension MessageExchange: TimingReceiver {
    /// Performs the requests sent so far.
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
    /// Delivers the available responses.
    public func drainEvents() {
        // Frees each slot before calling the handler, because the handler may send a request.
        withUnsafeTemporaryAllocation(of: Response.self, capacity: 1) { room in
            guard let response = UnsafeMutableRawBufferPointer(room).baseAddress else { return }
            while let answer = nextHandler(response, MemoryLayout<Response>.size) { answer.handle(.success(response)) }
        }
    }

    /// Copies the next response, of `size` bytes, to `response`, frees its slot and returns its handler.
    private func nextHandler(_ response: UnsafeMutableRawPointer, _ size: Int) -> MessageSenders.ResponseHandler? {
        senders.withLock { senders in
            skipCompleted(&senders)
            let slot = senders.handledCount % slots.capacity
            guard senders.handledCount < senders.sent, slots.isIn(.answered, slot),
                let answer = senders.removeHandler(slot)
            else { return nil }
            senders.handledCount += 1
            response.copyMemory(from: slots.response(slot), byteCount: size)
            slots.free(slot)
            return answer
        }
    }

    /// Skips the slots that were freed by threads that waited for the response.
    private func skipCompleted(_ senders: inout MessageSenders) {
        while senders.handledCount < senders.sent {
            let slot = senders.handledCount % slots.capacity
            guard senders.handlers[slot] == nil, slots.isIn(.free, slot) else { return }
            senders.handledCount += 1
        }
    }
}
