// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Items that the listener left")
struct LeftItemTests {
    @Test("`previous` returns to the place where `next` left an episode")
    func returns() {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes), keepsPlace: true)
        stage.append(.vbr, 0..<5000)
        stage.say(.closePlaylist)
        stage.play(40_000)
        stage.say(.next)
        stage.play(2000)
        stage.say(.previous)
        stage.play(2000)
        let samples = stage.sink.samples
        #expect(identical(Array(samples.prefix(40_000 * 2)), Fixture.cbr.samples(from: 0, to: 40_000)))
        #expect(identical(Array(samples.suffix(2000 * 2)), Fixture.cbr.samples(from: 40_000, to: 42_000)))
    }

    /// Returns an item of 5000 frames that is not on the playlist.
    private func item(
        _ stage: LoopStage, _ location: String = "other", from start: TimeTarget? = nil
    ) -> PlaybackItem {
        let id = stage.sources.add(.success(MemoryByteSource(Fixture.vbr.bytes)))
        let end = Fixture.vbr.format.duration(ofFrames: 5000)
        return PlaybackItem(
            id: id, title: "", podcast: nil, location: location, start: start, end: .time(end),
            source: stage.sources.source(id))
    }

    @Test("An interrupted item continues at its place afterwards, also if it is a file", arguments: [true, false])
    func interrupted(keepsPlace: Bool) {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes), keepsPlace: keepsPlace)
        stage.say(.closePlaylist)
        stage.play(40_000)
        stage.say(.interrupt(with: item(stage)))
        stage.play(7000)
        let samples = stage.sink.samples
        #expect(identical(Array(samples.prefix(40_000 * 2)), Fixture.cbr.samples(from: 0, to: 40_000)))
        let between = Array(samples.dropFirst(40_000 * 2).prefix(5000 * 2))
        #expect(identical(between, Fixture.vbr.samples(from: 0, to: 5000)))
        #expect(identical(Array(samples.dropFirst(45_000 * 2)), Fixture.cbr.samples(from: 40_000, to: 42_000)))
    }

    @Test("A sleep timer returns to an item that interrupts, and the other item continues at its place after that")
    func sleepAfterInterruption() {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes), keepsPlace: true)
        stage.say(.closePlaylist)
        stage.play(40_000)
        stage.say(.interrupt(with: item(stage)))
        stage.say(.setSleep(.after(Fixture.cbr.format.duration(ofFrames: 6000))))
        stage.play(7000)
        #expect(stage.loop.machine.intent == .pause)
        #expect(stage.loop.displayed?.id == 1)

        let heard = stage.sink.samples.count
        stage.say(.play, .setSleep(nil))
        stage.play(6000)
        let samples = Array(stage.sink.samples[heard...])
        // The fade began after 1000 frames; the gain returns in the first ones.
        let rest = Fixture.vbr.samples(from: 1000, to: 5000) + Fixture.cbr.samples(from: 40_000, to: 42_000)
        #expect(identical(Array(samples.dropFirst(2000)), Array(rest.dropFirst(2000))))
    }

    @Test("The same audio that plays again replaces the item")
    func sameAudio() {
        let stage = LoopStage()
        let first = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.say(.closePlaylist)
        stage.play(40_000)
        let second = item(stage, first.location)
        stage.say(.interrupt(with: second))
        #expect(stage.playOut())
        #expect(stage.sink.samples.count == 45_000 * 2)
        #expect(stage.loop.queue.items.map(\.id) == [first.id, second.id])
    }

    @Test("Audio continues at its place if the listener plays it again from beyond its end")
    func sameAudioBeyondEnd() {
        let stage = LoopStage()
        let first = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.say(.closePlaylist)
        stage.play(40_000)
        stage.say(.interrupt(with: item(stage, first.location, from: .time(.seconds(3600)))))
        stage.play(2000)
        #expect(identical(Array(stage.sink.samples.suffix(2000 * 2)), Fixture.cbr.samples(from: 40_000, to: 42_000)))
    }

    @Test("`previous` plays an episode from its beginning if it was played to its end before another one was added")
    func addedAfterTheEnd() {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes), keepsPlace: true)
        stage.say(.closePlaylist)
        #expect(stage.playOut())
        stage.say(.append(item(stage)))
        stage.play(2000)
        stage.say(.previous)
        stage.play(2000)
        #expect(identical(Array(stage.sink.samples.suffix(2000 * 2)), Fixture.cbr.samples(from: 0, to: 2000)))
        #expect(!stage.news.contains { if case .beyondEnd = $0 { true } else { false } })
    }

    @Test("An item that was played to its end does not follow the one that interrupts")
    func interruptedAfterItsEnd() {
        let stage = LoopStage()
        let first = stage.append(.cbr, 0..<3000)
        stage.play(4000)
        stage.play(1)
        let second = item(stage)
        stage.say(.closePlaylist, .interrupt(with: second))
        #expect(stage.playOut())
        #expect(identical(Array(stage.sink.samples.suffix(5000 * 2)), Fixture.vbr.samples(from: 0, to: 5000)))
        #expect(stage.loop.queue.items.map(\.id) == [first.id, second.id])
    }
}
