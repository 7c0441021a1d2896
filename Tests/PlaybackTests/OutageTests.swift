// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("OutputOutage")
struct OutputOutageTests {
    private var outage = OutputOutage(MediaFailure(.unavailable, "gone"), at: .seconds(100))

    @Test("it is tried after 0.5 s, then after 1, 2, 4 and every 5 s, one try at a time")
    mutating func delays() {
        var (now, waits) = (Duration.seconds(100), [Int]())
        for _ in 0..<7 {
            var waited = 0
            while !outage.beginsTry(at: now) {
                now += .milliseconds(100)
                waited += 100
            }
            waits.append(waited)
            let beginsAnother = outage.beginsTry(at: now + .seconds(60))
            #expect(!beginsAnother)
            outage.failedTry(at: now)
        }
        #expect(waits == [500, 1000, 2000, 4000, 5000, 5000, 5000])
    }

    @Test("only the try under way counts, and only once")
    mutating func numbers() {
        let begins = outage.beginsTry(at: .seconds(101))
        #expect(begins && outage.isUnderWay(1) && !outage.isUnderWay(2))
        outage.failedTry(at: .seconds(101))
        outage.failedTry(at: .seconds(109))
        #expect(!outage.isUnderWay(1))
        let beginsAgain = outage.beginsTry(at: .seconds(102))
        #expect(beginsAgain && outage.isUnderWay(2) && !outage.isUnderWay(1))
    }

    @Test("after five minutes sound would come as a surprise")
    func surprise() {
        #expect(outage.isUnnoticed(at: .seconds(400)))
        #expect(!outage.isUnnoticed(at: .seconds(401)))
    }
}

@Suite("An output that goes away and comes back")
struct OutageTests {
    private let gone = AudioOutputError.noServer("gone")
    private var failure: MediaFailure { MediaFailure(.unavailable, "gone") }

    private func isInterrupted(_ stage: Stage) async -> Bool {
        await eventually { stage.player.status.activity == .noDevice(reason: "gone") }
    }

    /// A player whose output goes away when 5000 frames were pulled, of which 2000 were not heard.
    private func interruptedStage() async -> (stage: Stage, item: PlaybackItem) {
        let stage = Stage(sink: CapturingSink(allowance: 5000, holding: 2000))
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.closePlaylist()
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.sink.lose(gone)
        #expect(await isInterrupted(stage))
        return (stage, item)
    }

    @Test("it is told, tried again, and what follows is heard: every sample, once")
    func comesBack() async {
        let (stage, item) = await interruptedStage()
        let position = stage.player.status.position
        stage.sink.refuse(.noServer("still gone"))
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        #expect(position == Fixture.cbr.format.duration(ofFrames: 3000))
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        let wanted: [PlayerEvent] = [
            .itemStarted(item), .outputInterrupted(failure), .outputRestored, .itemEnded(item), .ended,
        ]
        #expect(stage.news == wanted)
        #expect(await stage.stop())
    }

    @Test("a pause meanwhile stays a pause")
    func pausedMeanwhile() async {
        let (stage, _) = await interruptedStage()
        stage.player.pause()
        stage.sink.allow(nil)
        #expect(await eventually { stage.events.contains(.outputRestored) })
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(stage.sink.isCorked && stage.sink.frames == 5000)
        stage.player.play()
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("a seek meanwhile is where it goes on")
    func soughtMeanwhile() async {
        let (stage, _) = await interruptedStage()
        let target = Fixture.cbr.format.duration(ofFrames: 20_000)
        stage.player.seek(to: .absolute(.time(target)))
        #expect(await eventually { stage.player.status.position == target })
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        let wanted = Fixture.cbr.samples(from: 0, to: 3000) + Fixture.cbr.samples(from: 20_000)
        #expect(identical(stage.sink.samples, wanted))
        #expect(await stage.stop())
    }

    @Test("it can be stopped while its output is away")
    func stoppedMeanwhile() async {
        let (stage, _) = await interruptedStage()
        #expect(await stage.stop())
        #expect(!stage.events.contains(.ended) && stage.events.count { $0 == .outputInterrupted(failure) } == 1)
    }

    @Test("what is unplugged is paused, which is told, and goes on where it was on play")
    func unplugged() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.closePlaylist()
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.sink.unplug()
        let why = MediaFailure(.unavailable, "the sound device was unplugged")
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(await eventually { stage.events.contains(.pausedByItself(why)) })
        stage.sink.allow(nil)
        #expect(stage.sink.frames == 5000)
        stage.player.play()
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("an output that comes back after more than five minutes comes back paused")
    func longAway() async {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.sink.lose(gone)
        stage.work()
        stage.loop.outage = OutputOutage(failure, at: stage.loop.now - .seconds(301))
        #expect(await eventually {
            stage.work()
            return stage.events.contains(.outputRestored)
        })
        #expect(stage.loop.machine.intent == .pause && stage.sink.isCorked)
        let why = MediaFailure(.unavailable, "the sound output was away for more than five minutes")
        #expect(stage.news.suffix(2) == [.pausedByItself(why), .outputRestored])
    }

    @Test("that it could not be reached ahead of time means nothing once it is open")
    func lateNews() {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.say(.noOutput(gone))
        #expect(stage.loop.outage == nil && !stage.sink.isCorked)
    }

    @Test("what a try brought and has gone again is tried again")
    func goesAgain() async {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.sink.lose(gone)
        stage.work()
        _ = stage.loop.outage?.beginsTry(at: stage.loop.now + .seconds(1))
        stage.say(.sink(.lost(gone)), .outputTried(1, nil))
        #expect(stage.loop.outage != nil && !stage.events.contains(.outputRestored))
        #expect(await eventually {
            stage.work()
            return stage.events.contains(.outputRestored)
        })
        #expect(!stage.sink.isCorked && stage.events.count { $0 == .outputInterrupted(failure) } == 1)
    }
}
