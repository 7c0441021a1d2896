// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("The end of the downloaded data")
struct LossTests {
    private let clock = ManualClock()
    private let stage: LoopStage
    private let source = MemoryByteSource(Fixture.vbr.bytes, held: Fixture.vbr.bytes.count / 2)
    private let failure = MediaFailure(.unavailable, "the connection broke")

    init() { stage = LoopStage(clock: clock) }

    private var isLost: Bool { stage.news.contains { if case .connectionLost = $0 { true } else { false } } }
    private var hasStalled: Bool { stage.news.contains { if case .stallBegan = $0 { true } else { false } } }

    /// Plays an item whose download has failed with `failure`, up to its missing bytes.
    private func playToEnd(after failure: MediaFailure) {
        source.fail(failure)
        stage.append(source)
        stage.say(.closePlaylist)
        for _ in 0..<500 where source.retries == 0 && !isLost { stage.play(1000) }
    }

    @Test("The missing bytes are requested once more when playback reaches them, and playback continues with them")
    func continues() {
        playToEnd(after: failure)
        let retries = source.retries
        source.recover()
        source.release()
        let hasEnded = stage.playOut()
        #expect(retries == 1 && hasEnded && !isLost)
        #expect(identical(stage.sink.samples, Fixture.vbr.samples))
    }

    @Test("If the download does not start again within a second, the connection is lost")
    func lost() {
        playToEnd(after: failure)
        clock.advance(by: .milliseconds(900))
        stage.work()
        let isLostEarly = isLost
        clock.advance(by: .milliseconds(100))
        stage.work()
        #expect(!isLostEarly && isLost && source.retries == 1)
    }

    @Test("After a failure that another request cannot change, no request is made")
    func permanent() {
        playToEnd(after: MediaFailure(.forbidden, "the server answered 403 Forbidden"))
        #expect(isLost && source.retries == 0)
    }

    @Test("If the download fails while playback waits for it, no further request is made")
    func failsDuringStall() {
        stage.append(source)
        stage.say(.closePlaylist)
        for _ in 0..<500 where !hasStalled { stage.play(1000) }
        source.fail(failure)
        stage.work()
        #expect(isLost && source.retries == 0)
    }
}
