// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

private let slice = AudioTimeStamp(sampleTime: 0, hostTime: HostTime(nanoseconds: 0))

/// Renders one slice after another on its own thread until it is stopped.
private final class Renderer: Sendable {
    private let isDone = TestFlag()

    func run(_ receiver: any TimingReceiver) -> WorkerThread? {
        WorkerThread.start { [self] in
            while !isDone.isSet { receiver.willRender(slice, frames: 16) }
        }
    }

    func stop() { isDone.set() }
}

@Suite("MessageExchange") struct MessageExchangeTests {
    private let events = EventThread(every: nil)

    /// Returns an exchange that answers with the square of the request.
    private func squares(capacity: Int = 8, _ diary: Diary<Int> = Diary()) -> MessageExchange<Int, Int> {
        MessageExchange(capacity: capacity, events: events) { number, _ in
            diary.note(number)
            return number * number
        }
    }

    @Test("Requests run in order before the next slice, and answers are delivered in order by the event thread")
    func inOrder() throws {
        let (diary, answers) = (Diary<Int>(), Diary<Int>())
        let exchange = squares(diary)
        for number in 1...3 { try exchange.send(number) { answers.note((try? $0.get()) ?? -1) } }
        #expect(diary.entries == [])
        exchange.willRender(slice, frames: 16)
        #expect(diary.entries == [1, 2, 3])
        #expect(answers.entries == [])
        events.drain()
        #expect(answers.entries == [1, 4, 9])
        exchange.willRender(slice, frames: 16)
        events.drain()
        #expect(answers.entries == [1, 4, 9])
    }

    @Test("A full exchange refuses requests, performs the queued ones and accepts more once those are answered")
    func overflow() throws {
        let diary = Diary<Int>()
        let exchange = squares(capacity: 4, diary)
        for number in 0..<4 { try exchange.send(number) }
        #expect(throws: MessageFailure.queueFull) { try exchange.send(4) }
        #expect(throws: MessageFailure.queueFull) { try exchange.response(to: 4, within: .zero) }
        #expect(exchange.refusedRequests == 2)
        exchange.willRender(slice, frames: 16)
        #expect(throws: MessageFailure.queueFull) { try exchange.send(4) }
        events.drain()
        try exchange.send(5)
        exchange.willRender(slice, frames: 16)
        #expect(diary.entries == [0, 1, 2, 3, 5])
    }

    @Test("Requests and answers of different sizes, even empty ones, do not overwrite adjacent slots")
    func sizes() throws {
        struct Wide: BitwiseCopyable, Sendable, Equatable { var (first, second, third) = (0, UInt8(0), 0.5) }
        struct Nothing: BitwiseCopyable, Sendable {}
        let (wides, bytes) = (Diary<Wide>(), Diary<UInt8>())
        let widening = MessageExchange<UInt8, Wide>(capacity: 3, events: events) { byte, _ in
            Wide(first: Int(byte), second: byte, third: Double(byte))
        }
        let emptying = MessageExchange<Wide, Nothing>(capacity: 3, events: events) { wide, _ in
            bytes.note(wide.second)
            return Nothing()
        }
        for byte in 1...3 as ClosedRange<UInt8> {
            try widening.send(byte) { if case .success(let wide) = $0 { wides.note(wide) } }
        }
        widening.willRender(slice, frames: 16)
        events.drain()
        for wide in wides.entries { try emptying.send(wide) { if case .success = $0 { bytes.note(0) } } }
        emptying.willRender(slice, frames: 16)
        events.drain()
        #expect(wides.entries == [1, 2, 3].map { Wide(first: $0, second: UInt8($0), third: Double($0)) })
        #expect(bytes.entries == [1, 2, 3, 0, 0, 0])
    }

    @Test("A handler may send again immediately, since its slot is free")
    func again() throws {
        let (exchange, answers) = (squares(capacity: 1), Diary<Int>())
        try exchange.send(3) { [weak exchange] first in
            guard case .success(let number) = first else { return }
            try? exchange?.send(number) { if case .success(let number) = $0 { answers.note(number) } }
        }
        exchange.willRender(slice, frames: 16)
        events.drain()
        exchange.willRender(slice, frames: 16)
        events.drain()
        #expect(answers.entries == [81])
    }

    @Test("A waiting caller receives the answer without the event thread")
    func waiting() throws {
        let (exchange, renderer) = (squares(capacity: 4), Renderer())
        let thread = renderer.run(exchange)
        defer { thread?.join() }
        defer { renderer.stop() }
        for number in 0..<100 { #expect(try exchange.response(to: number, within: TimeLimit.event) == number * number) }
    }

    @Test("A request that times out before it runs is withdrawn and never performed")
    func timeOut() throws {
        let diary = Diary<Int>()
        let exchange = squares(capacity: 4, diary)
        for number in 0..<10 {
            #expect(throws: MessageFailure.timedOut) { try exchange.response(to: number, within: .zero) }
            exchange.willRender(slice, frames: 16)
        }
        #expect(diary.entries == [])
        try exchange.send(7)
        exchange.willRender(slice, frames: 16)
        #expect(diary.entries == [7])
    }

    @Test("A request that times out while it runs fails as unanswered, and its slot becomes free")
    func unanswered() throws {
        let (isIn, mayGo) = (TestFlag(), TestFlag())
        let exchange = MessageExchange<Int, Int>(capacity: 1, events: events) { number, _ in
            isIn.set()
            while !mayGo.isSet {}
            return number
        }
        let performer = WorkerThread.start {
            while !isIn.isSet { exchange.willRender(slice, frames: 1) }
        }
        // Until the performer's thread runs, a request times out, and then keeps the slot.
        var failure: MessageFailure?
        repeat {
            do throws(MessageFailure) {
                _ = try exchange.response(to: 1, within: .milliseconds(50))
                failure = nil
            } catch {
                failure = error
            }
        } while failure == .timedOut || failure == .queueFull
        #expect(failure == .unanswered)
        mayGo.set()
        performer?.join()
        try exchange.send(2)
    }

    @Test("A task resumes with the answer")
    func asynchronous() async throws {
        let (exchange, renderer) = (squares(), Renderer())
        let own = EventThread(every: .milliseconds(1))
        own.attach(exchange)
        let thread = renderer.run(exchange)
        #expect(try await exchange.response(to: 12) == 144)
        renderer.stop()
        thread?.join()
        own.close()
    }

    @Test(
        "A cancelled task stops waiting even if no slice is rendered, and its request is never performed",
        .timeLimit(.minutes(TimeLimit.factor)), arguments: [0, 100])
    func cancellation(yields: Int) async throws {
        let diary = Diary<Int>()
        let exchange = squares(capacity: 1, diary)
        let task = Task { try await exchange.response(to: 3) }
        for _ in 0..<yields { await Task.yield() }
        task.cancel()
        await #expect(throws: MessageFailure.cancelled) { try await task.value }
        exchange.willRender(slice, frames: 16)
        #expect(diary.entries == [])
        try exchange.send(4)
    }

    @Test("A task that is cancelled after its answer has arrived returns the answer without a drain")
    func cancelledLate() async throws {
        let diary = Diary<Int>()
        let exchange = squares(capacity: 1, diary)
        let task = Task { try await exchange.response(to: 3) }
        while diary.entries.isEmpty {
            await Task.yield()
            exchange.willRender(slice, frames: 16)
        }
        task.cancel()
        #expect(try await task.value == 9)
    }

    @Test("An exchange that is released delivers the available answers")
    func answeredAndClosed() throws {
        let outcomes = Diary<Result<Int, MessageFailure>>()
        do {
            let exchange = squares()
            try exchange.send(2) { outcomes.note($0) }
            exchange.willRender(slice, frames: 16)
            try exchange.send(3) { outcomes.note($0) }
        }
        #expect(outcomes.entries == [.success(4), .failure(.closed)])
    }

    @Test("An exchange that is released fails its unanswered requests once")
    func closed() throws {
        let failures = Diary<MessageFailure>()
        do {
            let exchange = squares()
            try exchange.send(1) { if case .failure(let failure) = $0 { failures.note(failure) } }
        }
        #expect(failures.entries == [.closed])
    }

    @Test("With many concurrent senders each request runs once and each answer reaches its sender")
    func senders() async {
        let (exchange, renderer) = (squares(capacity: 16), Renderer())
        let own = EventThread(every: .milliseconds(1))
        own.attach(exchange)
        let thread = renderer.run(exchange)
        let wrong = TestCount()
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        let request = sender * 1000 + number
                        let answer = try? await exchange.response(to: request)
                        if answer != request * request { wrong.add() }
                    }
                }
            }
        }
        renderer.stop()
        thread?.join()
        own.close()
        #expect(wrong.value == 0)
    }
}

@Suite("NoticeQueue") struct NoticeQueueTests {
    @Test("Notices are delivered in order off the realtime thread, and a notice without space is refused and counted")
    func notices() {
        let (events, diary) = (EventThread(every: nil), Diary<Int>())
        let queue = NoticeQueue<Int>(capacity: 4, events: events) { diary.note($0) }
        #expect((0..<6).map { queue.post($0) } == [true, true, true, true, false, false])
        #expect(queue.refusedNotices == 2)
        events.drain()
        #expect(queue.post(6))
        events.drain()
        #expect(diary.entries == [0, 1, 2, 3, 6])
    }
}
