// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Player waits")
struct PlayerWaitingTests {
    @Test(
        "When the next item is late, the current one plays to its end and playback resumes once bytes arrive",
        arguments: [false, true])
    func lateItem(threaded: Bool) async {
        let late = MemoryByteSource(Fixture.vbr.bytes, held: 0)
        let sink = NullSink(pace: .asFastAsPossible)
        let stage = Stage(otherSink: threaded ? sink : nil)
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.append(late)
        stage.player.send(.closePlaylist)
        func frames() -> Int64 { threaded ? sink.playedFrames : stage.sink.frames }
        #expect(await eventually { frames() == Fixture.cbr.frames })
        late.release(more: 3000)
        late.release()
        #expect(await eventually { stage.hasEnded })
        #expect(frames() == Fixture.cbr.frames + Fixture.vbr.frames)
        #expect(await stage.stop())
    }

    @Test(
        "A remainder smaller than the device's request is played, and so is the item after it",
        arguments: [false, true])
    func smallRest(threaded: Bool) async {
        let fixture = Fixture.untagged
        let first = MemoryByteSource(fixture.bytes, held: fixture.bytes.count - 500)
        let second = MemoryByteSource(fixture.bytes, held: 0)
        let sink = NullSink(pace: .asFastAsPossible)
        let stage = Stage(otherSink: threaded ? sink : nil)
        stage.append(first)
        stage.append(second)
        stage.player.send(.closePlaylist)
        func frames() -> Int64 { threaded ? sink.playedFrames : stage.sink.frames }
        #expect(await eventually { first.unavailableReads > 0 })
        first.release()
        #expect(await eventually { frames() == fixture.frames && second.unavailableReads > 0 })
        second.release(more: fixture.bytes.count - 500)
        second.release()
        #expect(await eventually { stage.hasEnded })
        #expect(frames() == 2 * fixture.frames)
        #expect(await stage.stop())
    }

    @Test("A small remainder that arrives in pieces is played through a real-time device")
    func trickle() async {
        let fixture = Fixture.cbr
        let source = MemoryByteSource(fixture.bytes, held: 20_000)
        let sink = NullSink(pace: .realTime)
        let stage = Stage(otherSink: sink)
        stage.append(source)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.news.contains { if case .stallBegan = $0 { true } else { false } } })
        while source.held < fixture.bytes.count {
            let unavailableReads = source.unavailableReads
            source.release(more: 400)
            _ = await eventually(within: .seconds(1)) {
                source.unavailableReads > unavailableReads || source.held == fixture.bytes.count
            }
        }
        #expect(await eventually { stage.hasEnded })
        #expect(sink.playedFrames == fixture.frames)
        #expect(await stage.stop())
    }

    @Test("While paused or waiting for bytes, the thread polls only a few times a second", arguments: [true, false])
    func rests(paused: Bool) async {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: paused ? nil : 9000)
        // From the start on, because polling in a pause ends after 5 s, however late this thread is.
        let start = ContinuousClock.now
        let stage = Stage(sink: CapturingSink(allowance: 100))
        if paused { stage.player.send(.pause) }
        stage.append(source)
        #expect(await eventually { stage.sink.calls.contains(.open) })
        #expect(
            await eventually {
                paused ? stage.player.status.activity == .paused(waiting: false) : source.unavailableReads > 0
            })
        // Each round polls up to twenty times.
        #expect(await eventually { stage.sink.looks >= 60 })
        #expect(.now - start > .milliseconds(250))
        #expect(await stage.stop())
    }
}
