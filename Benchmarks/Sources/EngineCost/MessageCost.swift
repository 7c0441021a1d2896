// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Measuring
import Synchronization

/// A request to a thread that renders a slice each millisecond and back, waited for; and what a request costs where
/// nobody waits.
struct MessageCost {
    func tell() {
        let events = EventThread(every: nil)
        let exchange = MessageExchange<Int, Int>(capacity: 1024, events: events) { number, _ in number }
        let isDone = Stop()
        let thread = WorkerThread.start {
            while !isDone.value.load(ordering: .acquiring) {
                exchange.willRender(AudioTimeStamp(sampleTime: 0, hostTime: .now), frames: 48)
                usleep(1000)
            }
        }
        let trips = (0..<1000).map { number in
            ContinuousClock().measure { _ = try? exchange.response(to: number, within: .seconds(1)) }
        }
        isDone.value.store(true, ordering: .releasing)
        thread?.join()
        let quantiles = Quantiles(trips)
        print("""
            {"what": "request and response", "median_ms": \(quantiles.milliseconds(0.5)), \
            "p99_ms": \(quantiles.milliseconds(0.99)), "nanoseconds_each_unwaited": \(throughput(exchange, events))}
            """)
    }

    private final class Stop: Sendable {
        let value = Atomic<Bool>(false)
    }

    /// Sent, performed and told, on one thread.
    private func throughput(_ exchange: MessageExchange<Int, Int>, _ events: EventThread) -> Int {
        let slice = AudioTimeStamp(sampleTime: 0, hostTime: .now)
        let time = EngineCost.least {
            for _ in 0..<100 {
                for number in 0..<1000 { try? exchange.send(number) }
                exchange.willRender(slice, frames: 48)
                events.drain()
            }
        }
        return Int(time / .nanoseconds(100_000))
    }
}
