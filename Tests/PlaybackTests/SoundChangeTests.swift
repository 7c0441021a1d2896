// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Changes of the sound")
struct SoundChangeTests {
    @Test("A wait for bytes is shown as buffering also after a change of the speed")
    func duringAStall() {
        let source = MemoryByteSource(Fixture.longCBR.bytes, held: 40_000, throughput: Throughput(steady: 100))
        let stage = LoopStage(clock: ManualClock())
        stage.append(source)
        stage.say(.closePlaylist, .playNow)
        for _ in 0..<2000 where stage.loop.audio.bufferedFrames > 1000 { stage.play(1000) }
        _ = stage.sink.pull(1000)
        stage.say(.setSpeed(1.2), .setSpeed(1))
        stage.play(2000)
        #expect(stage.loop.mailbox.status.activity == .buffering)
    }

    @Test("A skipped end that changes after the first frames of the next item were read does not apply to it")
    func endOfNextItem() throws {
        let stage = LoopStage()
        stage.append(.cbr)
        let next = stage.append(.cbr)
        stage.say(.closePlaylist)
        for _ in 0..<500 where stage.loop.audio.item(of: next.id)?.frames.hasBegun != true { stage.play(1000) }
        #expect(stage.loop.audio.item(of: next.id)?.frames.hasBegun == true)
        #expect(stage.loop.current?.item.id != next.id)
        let end = try #require(SkippedEnd(.milliseconds(100), besides: .zero))
        stage.say(.changeSettings([next.id: ItemSettings(skippedEnd: end)]))
        stage.play(Int(Fixture.cbr.frames))
        let current = try #require(stage.loop.current?.item)
        #expect(current.id == next.id && current.skippedEnd == nil)
    }

    @Test("Many changes of the speed during a wait for bytes do not keep playback from starting")
    func beforeTheStart() {
        let source = MemoryByteSource(Fixture.longCBR.bytes, held: 40_000, throughput: Throughput(steady: 100))
        let stage = LoopStage(clock: ManualClock())
        stage.append(source)
        stage.say(.closePlaylist)
        #expect(stage.loop.mailbox.status.activity == .loading)
        for _ in 0..<10 { stage.say(.changeSpeed(by: 0.1)) }
        #expect(stage.sink.calls.filter { $0 == .uncork }.isEmpty)
        source.release()
        stage.say(.setSpeed(1))
        stage.play(50_000)

        let samples = stage.sink.samples
        let channels = Fixture.longCBR.format.channels
        #expect(samples.count == 50_000 * channels)
        // The first frames fade in from those at the speed before.
        let start = 1000 * channels
        #expect(identical(Array(samples.dropFirst(start)), Array(Fixture.longCBR.samples[start..<50_000 * channels])))
    }

    @Test("A new volume is heard in the frames that the device received but did not play")
    func volume() {
        let stage = LoopStage(holding: 4410)
        stage.append(Fixture.longCBR)
        stage.say(.closePlaylist)
        stage.play(20_000)
        let played = 20_000 - 4410
        stage.say(.setVolume(0.5))
        stage.play(20_000)
        stage.say(.setVolume(0.5))

        let channels = Fixture.longCBR.format.channels
        let samples = stage.sink.samples
        #expect(samples.count == (played + 20_000) * channels)
        let heard = played * channels
        #expect(identical(Array(samples[..<heard]), Array(Fixture.longCBR.samples[..<heard])))
        // The ramp and the fade from the old frames are over after 1000 frames.
        let start = (played + 1000) * channels
        let wanted = Fixture.longCBR.samples[start..<samples.count].map { $0 * 0.5 }
        #expect(identical(Array(samples[start...]), wanted))
        // The same volume again changes nothing.
        #expect(stage.sink.calls.filter { $0 == .takeBack }.count == 1)
    }

    @Test("The forecast of positions covers all sound that was read ahead, at any speed", arguments: [1, 2])
    func forecast(speed: Double) throws {
        let stage = LoopStage(holding: 4410, options: .init(statusInterval: .zero))
        stage.append(Fixture.longCBR)
        stage.say(.closePlaylist, .setSpeed(speed))
        stage.play(20_000)

        let status = stage.loop.mailbox.status
        let start = try #require(status.position)
        let forecast = try #require(status.forecast)
        let ahead = try #require(stage.loop.audio.ring).bufferedFrames + 4410
        let reach = Fixture.longCBR.format.duration(ofFrames: Int64(ahead))
        let end = forecast.position(at: ContinuousClock.now + .seconds(60))
        #expect(abs((end - start) / reach - speed) < 0.1)
    }

    @Test("New settings are heard in the item that plays and in later ones, but do not replace a listener's choice")
    func settings() throws {
        let stage = LoopStage(options: .init(statusInterval: .zero))
        stage.say(.changeSound(SoundChanges(boostsVoice: false)))
        for _ in 0..<2 { stage.append(Fixture.longCBR) }
        stage.say(.closePlaylist)
        stage.play(20_000)
        let start = try #require(stage.loop.mailbox.status.position)
        let settings = ItemSettings(sound: SoundSettings(speed: 2, boostsVoice: true))
        for _ in 0..<2 { stage.say(.changeSettings([0: settings, 1: settings])) }
        // The same settings again change nothing.
        #expect(stage.sink.calls.filter { $0 == .takeBack }.count == 1)
        #expect(stage.loop.mailbox.status.sound == SoundSettings(speed: 2))

        stage.play(20_000)
        let heard = try #require(stage.loop.mailbox.status.position) - start
        #expect(abs(heard / Fixture.longCBR.format.duration(ofFrames: 20_000) - 2) < 0.2)
        stage.say(.next)
        stage.play(1000)
        let status = stage.loop.mailbox.status
        #expect(status.item?.id == 1 && status.sound == SoundSettings(speed: 2))
    }

    @Test("A new introduction is skipped in an item that was opened ahead, but not in the one that plays")
    func introduction() {
        let stage = LoopStage()
        let time = { (frame: Int64) in Fixture.cbr.format.duration(ofFrames: frame) }
        stage.append(MemoryByteSource(Fixture.longCBR.bytes), until: .time(time(200_000)), isResumed: true)
        stage.append(MemoryByteSource(Fixture.cbr.bytes), isResumed: true)
        stage.say(.closePlaylist)
        stage.play(20_000)
        #expect(stage.loop.audio.items.count == 2)
        let settings = ItemSettings(introduction: time(9000))
        stage.say(.changeSettings([0: settings, 1: settings]))
        #expect(stage.playOut())
        let first = Fixture.longCBR.samples(from: 0, to: 200_000)
        #expect(identical(stage.sink.samples, first + Fixture.cbr.samples(from: 9000)))
    }

    @Test("The status has the changes of the sound and the sleep timer before there is an item")
    func changesWithoutItem() {
        let stage = LoopStage()
        stage.say(.setSpeed(1), .changeSound(SoundChanges(boostsVoice: true)), .setSleep(.after(.seconds(60))))
        let status = stage.loop.mailbox.status
        #expect(status.soundChanges == SoundChanges(speed: 1, boostsVoice: true))
        #expect(status.item == nil && status.sleep == .after(.seconds(60)))
    }

    @Test("The position stands still when the player has stopped")
    func positionAfterStop() {
        let stage = LoopStage(holding: 4410, options: .init(statusInterval: .zero))
        stage.append(Fixture.longCBR)
        stage.say(.closePlaylist)
        stage.play(20_000)
        stage.say(.stop)
        let last = stage.loop.mailbox.status
        stage.loop.shutDown()

        let status = stage.loop.mailbox.status
        #expect(last.forecast != nil && status.forecast == nil)
        #expect(status.position != nil && status.at(ContinuousClock.now + .seconds(60)) == status)
    }

    @Test("Without a device, positions have a forecast if the output plays in real time", arguments: [true, false])
    func forecastWithoutDevice(isPaced: Bool) {
        let stage = LoopStage(isPaced: isPaced, hasDevice: false, options: .init(statusInterval: .zero))
        stage.append(Fixture.longCBR)
        stage.say(.closePlaylist)
        stage.play(20_000)

        let status = stage.loop.mailbox.status
        #expect(status.activity == .playing)
        #expect((status.forecast != nil) == isPaced)
    }

    @Test("Processed sound is refilled at the latest when 400 ms are left, less than the ring always holds")
    func refilling() throws {
        let stage = LoopStage()
        stage.append(Fixture.longCBR)
        stage.say(.closePlaylist)
        stage.play(1000)
        let ring = try #require(stage.loop.audio.ring)
        let writer = try #require(stage.loop.audio.writer)
        #expect(writer.refillLevel == ring.capacity / 2)
        stage.say(.setSpeed(2))
        #expect(writer.refillLevel == Int(ring.format.frames(in: .milliseconds(400))))
        #expect(ring.bufferedFrames > writer.refillLevel)
    }
}
