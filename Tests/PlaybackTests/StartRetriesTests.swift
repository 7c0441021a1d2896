// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Items whose download fails before their first sound", .timeLimit(.minutes(TimeLimit.factor)))
struct StartRetriesTests {
    @Test("The first item of a playlist is given up immediately")
    func first() {
        var retries = StartRetries()
        let decision = retries.decide(1, isPlaying: true, at: .zero)
        #expect(decision == .skip)
    }

    /// The decisions of each half second from the first failure on, until the item is skipped.
    private func untilSkipped(_ retries: inout StartRetries, _ generation: UInt32) -> [StartRetries.Decision] {
        var found: [StartRetries.Decision] = []
        var now = Duration.seconds(5)
        while found.last != .skip, found.count < 1000 {
            found.append(retries.decide(generation, isPlaying: true, at: now))
            now += .milliseconds(500)
        }
        return found
    }

    @Test("A later item is requested ever less often, and skipped after 20 seconds")
    func later() {
        var rule = StartRetries()
        rule.succeeded()
        let found = untilSkipped(&rule, 2)
        let retries = found.indices.filter { found[$0] == .retry }
        #expect(found.count == 41)
        #expect(retries == [0, 2, 6, 14, 30])
    }

    @Test("The item after a skipped one is requested for five minutes, and 20 seconds after the next success")
    func afterSkipped() {
        var retries = StartRetries()
        retries.succeeded()
        _ = untilSkipped(&retries, 2)
        let later = untilSkipped(&retries, 3)
        #expect(later.count == 601)
        retries.succeeded()
        let next = untilSkipped(&retries, 4)
        #expect(next.count == 41)
    }

    @Test("A pause and a suspended machine do not use up the time")
    func pausedAndSuspended() {
        var retries = StartRetries()
        retries.succeeded()
        let times: [(Bool, Duration)] = [
            // A paused player makes no decisions after a while.
            (true, .seconds(5)), (false, .seconds(17)), (true, .seconds(901)), (true, .seconds(9000)),
            (true, .seconds(9006)), (true, .seconds(20_000)), (true, .seconds(20_001)),
        ]
        let found = times.map { retries.decide(2, isPlaying: $0.0, at: $0.1) }
        #expect(found == [.retry, .wait, .retry, .retry, .retry, .retry, .skip])
    }

    @Test("An item that the listener chose is given up immediately, and the one after it is requested for five minutes")
    func chosen() {
        var retries = StartRetries()
        retries.succeeded()
        retries.choose()
        let decision = retries.decide(2, isPlaying: true, at: .zero)
        let next = untilSkipped(&retries, 3)
        #expect(decision == .skip && next.count == 601)
    }

    @Test("An item whose download fails during a pause is requested when playback resumes")
    func failsDuringPause() {
        var retries = StartRetries()
        retries.succeeded()
        let decisions = [(false, 5), (false, 6), (true, 7)].map {
            retries.decide(2, isPlaying: $0.0, at: .seconds($0.1))
        }
        #expect(decisions == [.wait, .wait, .retry])
    }

    @Test("After a chosen item that fails for another reason, the next one is requested again")
    func chosenIsMissing() {
        var retries = StartRetries()
        retries.succeeded()
        retries.choose()
        retries.failed()
        let decision = retries.decide(3, isPlaying: true, at: .zero)
        #expect(decision == .retry)
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
        let retries = stage.events.filter { if case .startRetried = $0 { true } else { false } }
        #expect(failures.isEmpty && retries.count == 1)
        let expected = Fixture.cbr.samples + Fixture.vbr.samples + (hasNext ? Fixture.cbr.samples : [])
        #expect(identical(stage.sink.samples, expected))
        #expect(await stage.stop())
    }
}
