// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Player seeks, pauses and skips")
struct PlayerControlTests {
    @Test("A seek plays from the target frame and discards the samples buffered before")
    func seek() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.player.send(.seek(Fixture.cbr.target(50_000)))
        #expect(await eventually { stage.sink.calls.suffix(3) == [.cork, .flush, .uncork] })
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        let wanted = Fixture.cbr.samples(from: 0, to: 5000) + Fixture.cbr.samples(from: 50_000)
        #expect(identical(stage.sink.samples, wanted))
        #expect(stage.news == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(await stage.stop())
    }

    @Test("A seek while the item is opening lands at its target")
    func seekWhileOpening() async {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: 0)
        let stage = Stage()
        let item = stage.append(source)
        stage.player.send(.closePlaylist)
        #expect(await eventually { source.unavailableReads > 0 })
        stage.player.send(.seek(Fixture.cbr.target(40_000)))
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples(from: 40_000)))
        #expect(stage.news == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(await stage.stop())
    }

    @Test("A seek during a stall ends the stall and plays from the target")
    func seekInStall() async {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: Fixture.cbr.bytes.count * 2 / 3)
        let stage = Stage()
        stage.append(source)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.news.contains { if case .stallBegan = $0 { true } else { false } } })
        let before = stage.sink.samples.count
        stage.player.send(.seek(Fixture.cbr.target(1000)))
        #expect(await eventually { stage.news.contains { if case .stallEnded = $0 { true } else { false } } })
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(identical(Array(stage.sink.samples.dropFirst(before)), Fixture.cbr.samples(from: 1000)))
        #expect(await stage.stop())
    }

    @Test("A seek while paused plays nothing, updates the position immediately and takes effect on play")
    func seekWhilePaused() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.player.send(.pause)
        #expect(await eventually { stage.sink.isCorked })
        stage.sink.allow(nil)
        stage.player.send(.seek(.absolute(.time(.seconds(1)))))
        #expect(await eventually { stage.player.status.position == .seconds(1) })
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(stage.sink.frames == 5000)
        stage.player.send(.play)
        #expect(await eventually { stage.hasEnded })
        let wanted = Fixture.cbr.samples(from: 0, to: 5000) + Fixture.cbr.samples(from: 44100)
        #expect(identical(stage.sink.samples, wanted))
        #expect(await stage.stop())
    }

    @Test("A pause before any audio is available stays in effect until play")
    func pausedFromTheStart() async {
        let stage = Stage()
        stage.player.send(.pause)
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(stage.sink.frames == 0)
        stage.player.send(.togglePause)
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("A seek back after the end plays and announces the item again", arguments: [false, true])
    func seekAtTheEnd(threaded: Bool) async {
        let sink = NullSink(pace: .asFastAsPossible)
        let stage = Stage(otherSink: threaded ? sink : nil)
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        #expect(await stage.playOut())
        stage.player.send(.seek(Fixture.cbr.target(60_000)))
        #expect(await eventually { stage.events.filter { $0 == .ended }.count == 2 })
        let round: [PlayerEvent] = [.itemStarted(item), .itemEnded(item), .ended]
        #expect(stage.news == round + round)
        let frames = threaded ? sink.playedFrames : stage.sink.frames
        #expect(frames == 2 * Fixture.cbr.frames - 60_000)
        #expect(await stage.stop())
    }

    @Test("After the end, a seek to the end or beyond is refused and plays nothing")
    func endAgain() async {
        let stage = Stage()
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        stage.player.send(.seek(Fixture.cbr.target(Fixture.cbr.frames + 5)))
        #expect(await eventually { stage.refusals.count == 1 })
        #expect(await eventually { stage.player.status.activity == .ended })
        #expect(stage.news.filter { $0 != .ended } == [.itemStarted(item), .itemEnded(item)] + stage.refusals)
        #expect(await stage.stop())
    }

    @Test("A seek beyond the end is refused, and playback continues at its position", arguments: [0, 400_000])
    func seekBeyondTheEnd(held: Int) async {
        // Given: an item whose end is known, or becomes known while its bytes arrive.
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        let fixture = held == 0 ? Fixture.cbr : .longVBR
        let source = held == 0 ? MemoryByteSource(fixture.bytes) : MemoryByteSource(fixture.bytes, held: held)
        let item = stage.append(source)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.player.send(.seek(Fixture.cbr.target(fixture.frames + 20_000)))
        source.release()
        // Then
        #expect(await eventually { stage.refusals.count == 1 })
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        #expect(stage.news.filter { !stage.refusals.contains($0) } == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(identical(stage.sink.samples, fixture.samples))
        #expect(await stage.stop())
    }

    @Test("A seek beyond the end before the first sound is refused, and the item plays from its start")
    func earlySeekBeyondTheEnd() async {
        let stage = Stage()
        let source = MemoryByteSource(Fixture.longVBR.bytes, held: 0)
        stage.player.send(.seek(Fixture.cbr.target(Fixture.longVBR.frames + 20_000)))
        let item = stage.append(source)
        stage.player.send(.closePlaylist)
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(stage.refusals.count == 1)
        #expect(stage.news.filter { !stage.refusals.contains($0) } == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(identical(stage.sink.samples, Fixture.longVBR.samples))
        #expect(await stage.stop())
    }

    @Test("An item whose start lies beyond its end is skipped, and the next item plays")
    func startBeyondTheEnd() async {
        let stage = Stage()
        let first = stage.append(MemoryByteSource(Fixture.cbr.bytes), from: .time(.seconds(1000)))
        let second = stage.append(MemoryByteSource(Fixture.vbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        #expect(Array(stage.news.dropFirst()) == [.itemStarted(second), .itemEnded(second), .ended])
        guard case .beyondEnd(first, at: .seconds(1000), end: let end, .refused) = stage.news.first else {
            Issue.record("the start was not refused: \(stage.news)")
            return
        }
        #expect(end.value == Fixture.cbr.duration)
        #expect(await stage.stop())
    }

    @Test("An item whose resume position lies beyond its end starts over")
    func resumedBeyondTheEnd() async {
        let stage = Stage()
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes), from: .time(.seconds(1000)), isResumed: true)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        #expect(stage.refusals.count == 1 && stage.news.first == stage.refusals.first)
        #expect(Array(stage.news.dropFirst()) == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("\"next\" goes to the item that is already open, and \"previous\" returns")
    func nextAndPrevious() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        let items = [Fixture.cbr, .vbr].map { stage.append(MemoryByteSource($0.bytes)) }
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 && stage.sources.opened == 2 })
        stage.player.send(.next)
        #expect(await eventually { stage.sink.calls.suffix(3) == [.cork, .flush, .uncork] })
        stage.sink.allow(3000)
        #expect(await eventually { stage.news.last == .itemStarted(items[1]) })
        stage.player.send(.previous)
        #expect(await eventually { stage.sink.calls.filter { $0 == .uncork }.count == 3 })
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        let wanted =
            Fixture.cbr.samples(from: 0, to: 5000) + Fixture.vbr.samples(from: 0, to: 3000)
            + Fixture.cbr.samples + Fixture.vbr.samples
        #expect(identical(stage.sink.samples, wanted))
        #expect(
            stage.news == [.itemStarted(items[0]), .itemStarted(items[1])]
                + items.flatMap { [.itemStarted($0), .itemEnded($0)] } + [.ended])
        #expect(await stage.stop())
    }

    @Test("\"next\" on the last item does nothing")
    func nextAtTheEnd() async {
        let stage = Stage(sink: CapturingSink(allowance: 100))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 100 })
        stage.player.send(.next)
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("A position beyond the end is refused and never shown")
    func shownPlace() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        #expect(await eventually { stage.sink.frames == 5000 })
        // Before all packets are counted, the end is an estimate that refuses nothing.
        #expect(await eventually { if case .exact = stage.player.status.duration { true } else { false } })
        stage.player.send(.pause)
        for _ in 0..<3 { stage.player.send(.seek(.relative(.seconds(100)))) }
        #expect(await eventually { stage.refusals.count == 3 })
        let place = Fixture.cbr.format.duration(ofFrames: 5000)
        #expect(await eventually { stage.player.status.position == place })
        stage.player.send(.seek(.relative(.seconds(-100))))
        #expect(await eventually { stage.player.status.position == .zero })
        #expect(await stage.stop())
    }

    @Test("An item appended after the end of a closed playlist is played", arguments: [false, true])
    func appendedAfterTheEnd(threaded: Bool) async {
        let sink = NullSink(pace: .asFastAsPossible)
        let stage = Stage(otherSink: threaded ? sink : nil)
        #expect(await stage.playOut([MemoryByteSource(Fixture.cbr.bytes)]))
        stage.append(MemoryByteSource(Fixture.vbr.bytes))
        #expect(await eventually { stage.events.filter { $0 == .ended }.count == 2 })
        #expect((threaded ? sink.playedFrames : stage.sink.frames) == Fixture.cbr.frames + Fixture.vbr.frames)
        #expect(await stage.stop())
    }

    @Test(
        "A stop ends the event stream in every phase",
        arguments: ["nothing", "opening", "buffering", "playing", "paused", "ended"])
    func stop(phase: String) async {
        let stage = Stage(sink: CapturingSink(allowance: phase == "ended" ? nil : 100))
        let source = MemoryByteSource(Fixture.cbr.bytes, held: ["opening": 0, "buffering": 9000][phase])
        if phase != "nothing" { stage.append(source) }
        if phase == "paused" { stage.player.send(.pause) }
        if phase == "ended" { stage.player.send(.closePlaylist) }
        switch phase {
        case "opening", "buffering": #expect(await eventually { source.unavailableReads > 0 })
        case "playing": #expect(await eventually { stage.sink.frames == 100 })
        case "paused": #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        case "ended": #expect(await eventually { stage.hasEnded })
        default: break
        }
        #expect(await stage.stop())
        #expect(stage.sink.calls.last == .close)
        #expect(phase == "nothing" || source.isClosed)
    }

    @Test("Random seeks while bytes arrive play only the requested samples and reach the end", arguments: 0..<6)
    func randomSeeks(seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let source = MemoryByteSource(Fixture.vbr.bytes, held: 0)
        let stage = Stage()
        stage.append(source)
        stage.player.send(.closePlaylist)
        while source.held < source.content.count {
            let (unavailableReads, frames) = (source.unavailableReads, stage.sink.frames)
            source.release(more: Int.random(in: 100...12_000, using: &random))
            _ = await eventually(within: .seconds(1)) {
                source.unavailableReads > unavailableReads || stage.sink.frames > frames
            }
            let frame = Int64.random(in: 0..<100_000, using: &random)
            if Bool.random(using: &random) { stage.player.send(.seek(Fixture.cbr.target(frame))) }
            if Bool.random(using: &random) { stage.player.send(.togglePause) }
        }
        let last = Fixture.vbr.frames - 10_000
        stage.player.send(.play)
        stage.player.send(.seek(Fixture.cbr.target(last)))
        #expect(await eventually { stage.hasEnded })
        #expect(identical(Array(stage.sink.samples.suffix(20_000)), Fixture.vbr.samples(from: last)))
        #expect(await stage.stop())
    }
}
