// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Items whose download fails before their first sound", .timeLimit(.minutes(TimeLimit.factor)))
struct StartRetriesTests {
    private func decisions(_ retries: inout StartRetries, _ generation: UInt32, _ times: [Duration])
        -> [StartRetries.Decision]
    {
        times.map { retries.decide(generation, isPlaying: true, at: $0) }
    }

    @Test("The first item of a playlist is given up immediately")
    func first() {
        var retries = StartRetries()
        let decision = retries.decide(1, isPlaying: true, at: .zero)
        #expect(decision == .skip)
    }

    @Test("A later item is requested once a second, and skipped after 20 seconds")
    func later() {
        var retries = StartRetries()
        retries.succeeded()
        let times: [Duration] = [.seconds(5), .milliseconds(5999), .seconds(6), .milliseconds(24_999), .seconds(25)]
        let found = decisions(&retries, 2, times)
        #expect(found == [.retry, .wait, .retry, .retry, .skip])
    }

    @Test("The item after a skipped one is requested for five minutes, and 20 seconds after the next success")
    func afterSkipped() {
        var retries = StartRetries()
        retries.succeeded()
        _ = decisions(&retries, 2, [.zero, .seconds(20)])
        let found = decisions(&retries, 3, [.seconds(20), .seconds(319), .seconds(320)])
        #expect(found == [.retry, .retry, .skip])
        retries.succeeded()
        let next = decisions(&retries, 4, [.seconds(400), .seconds(420)])
        #expect(next == [.retry, .skip])
    }

    @Test("While playback is paused, an item is neither requested nor skipped")
    func paused() {
        var retries = StartRetries()
        retries.succeeded()
        let decision = retries.decide(2, isPlaying: false, at: .seconds(900))
        #expect(decision == .wait)
    }

    @Test("An item that cannot be fetched when its turn comes plays after a retry", arguments: [true, false])
    func recovers(hasNext: Bool) async {
        let broken = MemoryByteSource(Fixture.vbr.bytes, held: 0)
        broken.fail(MediaFailure(.unavailable, "cannot connect"))
        let stage = Stage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.append(broken)
        if hasNext { stage.append(MemoryByteSource(Fixture.cbr.bytes)) }
        stage.player.send(.closePlaylist)
        #expect(await eventually { broken.retries > 0 })
        broken.recover()
        broken.release()
        #expect(await eventually { stage.hasEnded })
        let failures = stage.events.filter { if case .itemFailed = $0 { true } else { false } }
        #expect(failures.isEmpty)
        let expected = Fixture.cbr.samples + Fixture.vbr.samples + (hasNext ? Fixture.cbr.samples : [])
        #expect(identical(stage.sink.samples, expected))
        #expect(await stage.stop())
    }
}
