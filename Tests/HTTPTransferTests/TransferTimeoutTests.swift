// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("TransferTimeout")
struct TransferWatchTests {
    private let start = ContinuousClock.now

    /// Returns the deadline after a request at 0 s and the pieces, each received at its second.
    private func deadline(
        _ pieces: [(second: Int, count: Int)], _ codings: ContentCodings = .identity
    ) -> Duration? {
        var watch = TransferTimeout(limits: TransferLimits(), for: codings)
        watch.requestSent(at: start)
        for piece in pieces { watch.received(piece.count, at: start + .seconds(piece.second)) }
        return watch.deadline.map { $0 - start }
    }

    @Test("libcurl limits the connection time; a response is due within 10 s of the request")
    func waiting() {
        #expect(TransferTimeout(limits: TransferLimits(), for: .identity).deadline == nil)
        #expect(deadline([]) == .seconds(10))
    }

    @Test("A request with a larger timeout factor waits that multiple of 10 s")
    func timeoutFactor() {
        var watch = TransferTimeout(limits: TransferLimits(), for: .identity, timeoutFactor: 6)
        watch.requestSent(at: start)
        #expect(watch.deadline == start + .seconds(60))
        watch.received(1, at: start + .seconds(50))
        #expect(watch.deadline == start + .seconds(60))
    }

    @Test("In a body a pause of 10 s is a timeout, however many bytes have arrived")
    func silence() {
        #expect(deadline([(3, 1)]) == .seconds(13))
        #expect(deadline([(3, 1_000_000), (9, 1)]) == .seconds(19))
    }

    @Test("An enclosure that arrives slowly never times out")
    func trickle() {
        #expect(deadline((0..<10_000).map { ($0, 10) }) == .seconds(9999 + 10))
    }

    @Test("A slow feed times out after 30 s, or later if it has received more")
    func slowFeed() {
        #expect(deadline((0..<29).map { ($0, 10) }, .compressed) == .seconds(30))
        #expect(deadline([(0, 50_000), (45, 1)], .compressed) == .seconds(50))
        #expect(deadline([(0, 500_000), (45, 1)], .compressed) == .seconds(55))
    }

    @Test("Each hop of a feed has its own time")
    func hops() {
        var watch = TransferTimeout(limits: TransferLimits(), for: .compressed)
        watch.requestSent(at: start)
        watch.received(10, at: start + .seconds(29))
        watch.restart()
        #expect(watch.stage == .connecting && watch.deadline == nil)
        watch.requestSent(at: start + .seconds(40))
        for second in 41..<70 { watch.received(10, at: start + .seconds(second)) }
        #expect(watch.deadline == start + .seconds(71))
    }

    @Test("The stage follows the events of the transfer")
    func stage() {
        var watch = TransferTimeout(limits: TransferLimits(), for: .identity)
        #expect(watch.stage == .connecting)
        watch.requestSent(at: start)
        #expect(watch.stage == .waiting)
        watch.received(1, at: start)
        #expect(watch.stage == .receiving)
    }
}
