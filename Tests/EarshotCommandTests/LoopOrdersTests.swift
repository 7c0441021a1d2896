// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import TerminalInterface
import Testing

@Suite("Loop commands that arrive before earlier ones take effect")
struct LoopOrdersTests {
    private var orders = LoopOrders(direction: .forward, rate: 1)
    private let now: StreamingStatus

    /// Creates a status in which no command has taken effect; it stays unchanged.
    init() throws {
        let source = try StreamingSource(Silence(), options: .exact)
        try source.setLoop(try StreamLoop(from: 1000, to: 3500, times: 5, afterwards: .stop))
        try source.seek(to: 1200)
        source.play()
        #expect(source.prime(frames: 1))
        var sample: Float = 0
        _ = source.pull(into: &sample, frames: 1, at: 0)
        now = source.status
    }

    @Test("Two reversals cancel each other, steps of the rate add up, and the rate has limits")
    mutating func steps() {
        orders.turn()
        #expect(orders.direction == .backward)
        orders.turn()
        for _ in 0..<10 { orders.slower() }
        #expect(orders.direction == .forward && orders.rate == 0.5)
        for _ in 0..<10 { orders.slower() }
        #expect(orders.rate == 0.25)
        for _ in 0..<100 { orders.faster() }
        #expect(orders.rate == 4)
    }

    @Test("A new start and a new end apply together, and restarting goes to the ends of the new section")
    mutating func section() throws {
        #expect(orders.beginning(now) == 1000)
        let begun = orders.change(start: 2000, now)
        #expect(try begun == StreamLoop(from: 2000, to: 3500, times: 5, afterwards: .stop))
        let ended = orders.change(end: 3000, now)
        #expect(try ended == StreamLoop(from: 2000, to: 3000, times: 5, afterwards: .stop))
        let empty = orders.change(end: 2000, now)
        #expect(empty == nil && orders.beginning(now) == 2000)
        orders.turn()
        #expect(orders.beginning(now) == 3000)
    }
}
