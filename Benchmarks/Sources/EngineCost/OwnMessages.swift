// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import CEngineBaseline
import Glibc
import Media
import Measuring
import Synchronization

/// An exchange that echoes its requests before each slice of a millisecond.
final class OwnExchange: Sendable {
    private let exchange: MessageExchange<baseline_message, baseline_message>
    private let isDone = Flag()
    private let thread: WorkerThread?

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }

    init() {
        exchange = MessageExchange(capacity: 1024, events: EventThread(every: nil)) { request, _ in request }
        thread = WorkerThread.start { [exchange, isDone] in
            while !isDone.value.load(ordering: .acquiring) {
                exchange.willRender(AudioTimeStamp(sampleTime: 0, hostTime: .now), frames: 48)
                usleep(1000)
            }
        }
    }

    func trip(_ number: Int64) -> Int64? {
        (try? exchange.response(to: OwnMessages.message(number), within: .seconds(1)))?.number
    }

    func stop() {
        isDone.value.store(true, ordering: .releasing)
        thread?.join()
    }
}

/// The sums of numbers sent through `MessageExchange`, `NoticeQueue` and `BlockQueue`.
enum OwnMessages {
    /// A sum to which one thread at a time adds.
    private final class Sum: Sendable {
        private let value = Atomic<Int64>(0)
        var total: Int64 { value.load(ordering: .relaxed) }
        func add(_ number: Int64) { value.store(total + number, ordering: .relaxed) }
    }

    static func message(_ number: Int64) -> baseline_message {
        baseline_message(number: number, rest: (0, 0, 0, 0, 0, 0, 0))
    }

    static func unwaited(rounds: Int, each: Int) -> Int64 {
        let (events, sum) = (EventThread(every: nil), Sum())
        let exchange = MessageExchange<baseline_message, baseline_message>(
            capacity: 1024, events: events
        ) { request, _ in request }
        let slice = AudioTimeStamp(sampleTime: 0, hostTime: .now)
        for _ in 0..<rounds {
            for number in 0..<each {
                try? exchange.send(message(Int64(number))) { outcome in
                    if case .success(let answer) = outcome { sum.add(answer.number) }
                }
            }
            exchange.willRender(slice, frames: 48)
            events.drain()
        }
        return sum.total
    }

    static func notices(rounds: Int, each: Int) -> Int64 {
        let (events, sum) = (EventThread(every: nil), Sum())
        let queue = NoticeQueue<baseline_message>(capacity: 1024, events: events) { sum.add($0.number) }
        for _ in 0..<rounds {
            for number in 0..<each { queue.post(message(Int64(number))) }
            events.drain()
        }
        return sum.total
    }

    static func blocks(rounds: Int, each: Int) -> Int64 {
        // Each block has its length beside it.
        let queue = BlockQueue(capacity: 1024 * 72)
        var sum: Int64 = 0
        for _ in 0..<rounds {
            for number in 0..<each { withUnsafeBytes(of: message(Int64(number))) { _ = queue.write($0) } }
            while queue.read({ sum += $0.load(as: Int64.self) }) {}
        }
        return sum
    }
}
