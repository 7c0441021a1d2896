// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import Playback
@testable import TrackReading

@Suite("Seeks before the first sound")
struct EarlySeekTests {
    private enum EarlyMoment { case beforeItem, beforeFirstByte }

    /// Plays an item from `start`, with relative seeks before its first sound.
    /// - Returns: the samples played.
    private func play(from start: TimeTarget, _ steps: [Duration], _ moment: EarlyMoment) async -> [Float] {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: moment == .beforeFirstByte ? 0 : nil)
        let stage = Stage()
        if moment == .beforeItem { for step in steps { stage.player.send(.seek(.relative(step))) } }
        stage.append(source, from: start, isResumed: true)
        stage.player.send(.closePlaylist)
        if moment == .beforeFirstByte {
            #expect(await eventually { source.unavailableReads > 0 })
            for step in steps { stage.player.send(.seek(.relative(step))) }
            // The status shows the timer after the seeks were executed.
            stage.player.send(.setSleep(.endOfItem(count: 5)))
            #expect(await eventually { stage.player.status.sleep != nil })
            source.release()
        }
        #expect(await eventually { stage.hasEnded })
        #expect(await stage.stop())
        return stage.sink.samples
    }

    @Test(
        "A relative seek before the first sound goes from the saved position",
        arguments: [EarlyMoment.beforeItem, .beforeFirstByte], [false, true])
    private func seekBeforeSound(moment: EarlyMoment, isFraction: Bool) async {
        let rate = Int64(Fixture.cbr.format.sampleRate)
        let half = Int64(Fixture.cbr.frames) / 2
        let start: TimeTarget = isFraction ? .fraction(0.5) : .time(Fixture.cbr.format.duration(ofFrames: half))
        let steps: [Duration] = [.milliseconds(300), .milliseconds(-100), .milliseconds(-300)]
        let samples = await play(from: start, steps, moment)
        let expected = Fixture.cbr.samples(from: half - rate / 10).count
        #expect(abs(samples.count - expected) <= Fixture.cbr.format.channels)
        #expect(identical(samples, Array(Fixture.cbr.samples.suffix(samples.count))))
    }

    @Test("An absolute seek before the item is known lands at its target; the last of several counts")
    func seekBeforeItem() async {
        let stage = Stage()
        stage.player.send(.seek(.relative(.seconds(1))))
        stage.player.send(.seek(Fixture.cbr.target(30_000)))
        stage.player.send(.seek(Fixture.cbr.target(40_000)))
        #expect(await stage.playOut([MemoryByteSource(Fixture.cbr.bytes)]))
        #expect(identical(stage.sink.samples, Fixture.cbr.samples(from: 40_000)))
        #expect(await stage.stop())
    }

    /// Returns a stage with a file in which the search for another stream takes several rounds.
    private func stage(searchingAfter file: TrackFile) throws -> LoopStage {
        let stage = LoopStage()
        stage.append(MemoryByteSource(file.bytes + [UInt8](repeating: 0, count: 1 << 20)))
        let reader = try #require(stage.loop.audio.items.first?.reader.track as? ContainerTrackReader)
        reader.nextStream = StreamSearch(file.kind, stepLength: 1)
        return stage
    }

    @Test("A seek beyond the end of FLAC is refused after a search for another stream that takes several rounds")
    func refusedAfterSearch() throws {
        let file = try TrackFileCase.flacTable.file()
        let stage = try stage(searchingAfter: file)
        let isRefused = { stage.events.contains { if case .beyondEnd(_, _, _, .stayed) = $0 { true } else { false } } }
        stage.loop.mailbox.post(.command(.seek(.absolute(.time(file.duration + .seconds(60))))))
        _ = stage.loop.round()
        let isEarly = isRefused()
        stage.work()
        let isRefusedAfterWork = isRefused()
        #expect(!isEarly && isRefusedAfterWork)
    }

    @Test("A relative seek counts from the target of a seek that waits for the search for another stream of FLAC")
    func relativeAfterSearch() throws {
        let file = try TrackFileCase.flacTable.file()
        let stage = try stage(searchingAfter: file)
        stage.say(.seek(.absolute(.fraction(0.25))), .seek(.relative(.seconds(1))), .seek(.relative(.seconds(1))))
        #expect(stage.loop.position == .seconds(10))
    }

    @Test("The status has the seeks that have not landed, also without an item")
    func awaited() {
        let stage = LoopStage(options: .init(statusInterval: .zero))
        stage.say(.seek(.relative(.seconds(1))))
        #expect(stage.loop.mailbox.status.awaitedSeeks == [.relative(.seconds(1))])
        let source = MemoryByteSource(Fixture.longCBR.bytes, held: 60_000)
        stage.append(source)
        stage.say(.seek(.absolute(.fraction(0.75))))
        #expect(stage.loop.mailbox.status.awaitedSeeks == [.absolute(.fraction(0.75))])
        source.release()
        stage.work()
        stage.play(20_000)
        #expect(stage.loop.mailbox.status.awaitedSeeks == [])
    }

    @Test("Until a seek lands, the status has the place to which a target beyond the end leads back")
    func origin() {
        let stage = LoopStage(options: .init(statusInterval: .zero))
        let source = MemoryByteSource(Fixture.longCBR.bytes, held: 60_000)
        stage.append(source, from: .time(.seconds(1)))
        #expect(stage.loop.mailbox.status.seekOrigin == nil)
        stage.say(.seek(.absolute(.fraction(0.75))))
        #expect(stage.loop.mailbox.status.seekOrigin == .time(.seconds(1)))
        source.release()
        stage.work()
        stage.play(20_000)
        #expect(stage.loop.mailbox.status.seekOrigin == nil)
    }

    @Test("A seek that waits in an item that leaves the playlist does not move the next item")
    func seekBeforeRemoval() {
        let stage = LoopStage()
        let first = stage.append(MemoryByteSource(Fixture.cbr.bytes, held: 0), from: .fraction(0.5))
        stage.say(.seek(.relative(.milliseconds(500))))
        stage.say(.remove(.id(first.id)))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.play(1000)
        #expect(identical(stage.sink.samples, Fixture.cbr.samples(from: 0, to: 1000)))
    }

    @Test("A seek before an item that cannot be opened does not move the next item")
    func seekBeforeFailure() async {
        let stage = Stage()
        stage.player.send(.seek(Fixture.cbr.target(40_000)))
        stage.append(MediaFailure(.missing, "no file"))
        #expect(await stage.playOut([MemoryByteSource(Fixture.cbr.bytes)]))
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }
}
