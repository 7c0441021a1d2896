// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Items that are repeated")
struct RepeatTests {
    @Test("An item that was played to its end begins at its beginning the next time, not at its saved position",
        arguments: [(.one, 1), (.all, 1), (.all, 2)] as [(RepeatMode, Int)])
    func repeatsFromTheBeginning(mode: RepeatMode, items: Int) {
        let stage = LoopStage()
        let place: Int64 = 30_000
        stage.say(.setRepeat(mode))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(Fixture.cbr.format.duration(ofFrames: place)),
            isResumed: true)
        let other = items == 1 ? [] : Fixture.vbr.samples(from: 0, to: 5000)
        if items == 2 { stage.append(.vbr, 0..<5000) }
        stage.say(.closePlaylist)
        let first = Fixture.cbr.samples(from: place) + other
        stage.play(first.count / 2 + 500)
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, first + Fixture.cbr.samples + other))
    }

    @Test(
        "An item that is repeated begins after its introduction, also if it resumed",
        arguments: [9000, 30_000] as [Int64])
    func skipsIntroduction(place: Int64) {
        let stage = LoopStage()
        let time = { (frame: Int64) in Fixture.cbr.format.duration(ofFrames: frame) }
        stage.say(.setRepeat(.one))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(time(place)), introduction: time(9000), isResumed: true)
        stage.say(.closePlaylist)
        let first = Fixture.cbr.samples(from: place)
        stage.play(first.count / 2 + 500)
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, first + Fixture.cbr.samples(from: 9000)))
    }

    /// Creates an item that begins after half of it as its introduction.
    @discardableResult
    private func append(
        _ source: MemoryByteSource = MemoryByteSource(Fixture.cbr.bytes), to stage: LoopStage
    ) -> Duration {
        let half = Fixture.cbr.format.duration(ofFrames: Fixture.cbr.frames / 2)
        stage.append(source, from: .time(half), introduction: half, isResumed: true)
        return half
    }

    @Test("An introduction of more than a third of the item is played, also when the item is repeated")
    func longIntroduction() {
        let stage = LoopStage()
        stage.say(.setRepeat(.one))
        append(to: stage)
        stage.say(.closePlaylist)
        let samples = Fixture.cbr.samples
        stage.play(samples.count / 2 + 500)
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, samples + samples))
    }

    @Test(
        "\"next\" plays all of an item whose introduction is more than a third of it, also before its bytes arrive",
        arguments: [0, 300, 5000, .max])
    func nextBeforeBytes(held: Int) {
        let stage = LoopStage()
        let source = MemoryByteSource(Fixture.cbr.bytes, held: held)
        stage.append(.vbr)
        append(source, to: stage)
        stage.say(.closePlaylist)
        stage.play(500)
        stage.say(.next)
        source.release()
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, Array(Fixture.vbr.samples.prefix(1000) + Fixture.cbr.samples)))
    }

    @Test(
        "\"next\" repeats all of the only item, which resumed, if its introduction is more than a third of it",
        arguments: [Fixture.cbr, .untagged], [0, 100, .max])
    func nextOfShortOne(fixture: Fixture, held: Int) {
        let stage = LoopStage()
        let time = { (frame: Int64) in fixture.format.duration(ofFrames: frame) }
        let source = MemoryByteSource(fixture.bytes, held: held)
        stage.say(.setRepeat(.all))
        stage.append(
            source, from: .time(time(fixture.frames * 2 / 3)), introduction: time(fixture.frames / 2), isResumed: true)
        stage.say(.closePlaylist, .next, .setRepeat(.off))
        source.release()
        stage.work()
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, fixture.samples))
    }

    @Test("A seek to the end of an introduction that is played lands there")
    func seekToIntroduction() {
        let stage = LoopStage()
        let half = append(to: stage)
        stage.say(.closePlaylist)
        stage.play(500)
        stage.say(.seek(.absolute(.time(half))))
        stage.play(500)
        let second = Fixture.cbr.samples(from: Fixture.cbr.frames / 2)
        let wanted = Array(Fixture.cbr.samples.prefix(1000) + second.prefix(1000))
        #expect(identical(stage.sink.samples, wanted))
    }

    @Test(
        "A seek to the end of an introduction that is played lands there also in a version that replaces the item",
        arguments: [Fixture.cbr, .untagged], [300, 600])
    func seekBeforeNewVersion(fixture: Fixture, held: Int) {
        let stage = LoopStage()
        let half = fixture.format.duration(ofFrames: fixture.frames / 2)
        let source = MemoryByteSource(fixture.bytes, held: held)
        stage.append(source, from: .time(half), introduction: half, isResumed: true)
        stage.say(.closePlaylist, .seek(.absolute(.time(half))))
        source.replace(by: MemoryByteSource(fixture.bytes))
        repeat { stage.work() } while stage.loop.steer(.progressed)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, fixture.samples(from: fixture.frames / 2)))
    }

    @Test("An introduction of more than a third of the item is played also if two versions replace the item before it")
    func introductionAfterTwoVersions() {
        let stage = LoopStage()
        let fixture = Fixture.untagged
        let half = fixture.format.duration(ofFrames: fixture.frames / 2)
        let versions = [100, 600, fixture.bytes.count].map { MemoryByteSource(fixture.bytes, held: $0) }
        stage.append(versions[0], from: .time(half), introduction: half, isResumed: true)
        stage.say(.closePlaylist)
        for (old, new) in zip(versions, versions.dropFirst()) {
            old.replace(by: new)
            repeat { stage.work() } while stage.loop.steer(.progressed)
        }
        let changes = stage.events.count { if case .versionChanged = $0 { true } else { false } }
        #expect(changes == 2)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, fixture.samples))
    }

    @Test("An item begins after its introduction unless that and the skipped end exceed a third of the known duration")
    func start() {
        let item = { (isResumed: Bool) in
            PlaybackItem(
                id: 0, title: "", podcast: nil, location: "", start: .time(.seconds(40)), introduction: .seconds(40),
                skippedEnd: SkippedEnd(.seconds(10), besides: .seconds(40)), isResumed: isResumed)
        }
        #expect(item(true).start(within: .declared(.seconds(149))) == .time(.zero))
        #expect(item(true).start(within: .exact(.seconds(150))) == .time(.seconds(40)))
        #expect(item(true).start(within: .estimated(.seconds(60))) == .time(.seconds(40)))
        #expect(item(true).start(within: nil) == .time(.seconds(40)))
        #expect(item(false).start(within: .exact(.seconds(60))) == .time(.seconds(40)))
    }

    @Test("In repeat mode \"all\", \"next\" plays the only item from its beginning, not from its saved position")
    func nextOfOne() {
        let stage = LoopStage()
        let place: Int64 = 30_000
        stage.say(.setRepeat(.all))
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: .time(Fixture.cbr.format.duration(ofFrames: place)),
            isResumed: true)
        stage.say(.closePlaylist)
        stage.play(500)
        stage.say(.next)
        stage.play(500)
        let wanted = Array(Fixture.cbr.samples(from: place).prefix(1000) + Fixture.cbr.samples.prefix(1000))
        #expect(identical(stage.sink.samples, wanted))
    }
}
