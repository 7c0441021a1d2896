// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("OutputOutage")
struct OutputOutageTests {
    private var outage = OutputOutage(MediaFailure(.unavailable, "gone"), at: .seconds(100))

    @Test("The output is retried after 0.5 s, then after 1, 2 and 4 s and every 5 s, one attempt at a time")
    mutating func delays() {
        var (now, waits) = (Duration.seconds(100), [Int]())
        for _ in 0..<7 {
            var waited = 0
            while !outage.beginAttempt(at: now) {
                now += .milliseconds(100)
                waited += 100
            }
            waits.append(waited)
            let beginsAnother = outage.beginAttempt(at: now + .seconds(60))
            #expect(!beginsAnother)
            outage.failedTry(at: now)
        }
        #expect(waits == [500, 1000, 2000, 4000, 5000, 5000, 5000])
    }

    @Test("Only the current attempt counts, and only once")
    mutating func numbers() {
        let begins = outage.beginAttempt(at: .seconds(101))
        #expect(begins && outage.isInProgress(1) && !outage.isInProgress(2))
        outage.failedTry(at: .seconds(101))
        outage.failedTry(at: .seconds(109))
        #expect(!outage.isInProgress(1))
        let beginsAgain = outage.beginAttempt(at: .seconds(102))
        #expect(beginsAgain && outage.isInProgress(2) && !outage.isInProgress(1))
    }

    @Test("An outage of more than five minutes counts as unnoticed")
    func surprise() {
        #expect(outage.pauseReason(at: .seconds(400)) == nil)
        #expect(outage.pauseReason(at: .seconds(401)) == "the sound output was unavailable for more than five minutes")
    }
}

@Suite("A device that the sound server suspends")
struct DeviceSuspensionTests {
    private let reason = MediaFailure(.unavailable, "the sound server has suspended the device")
    private let clock = ManualClock()
    private let stage: LoopStage

    init() {
        stage = LoopStage(holding: 2000, clock: clock)
        stage.append(Fixture.cbr)
        stage.play(5000)
    }

    private func work(after time: Duration) {
        clock.advance(by: time)
        stage.work()
    }

    @Test("While the device is suspended, the status says so, and the position does not advance")
    func suspended() {
        stage.sink.isSuspended = true
        work(after: .seconds(1))
        #expect(stage.loop.mailbox.status.rate == 0 && stage.loop.mailbox.status.forecast == nil)
        #expect(!stage.news.contains(.outputInterrupted(reason)))
        work(after: .seconds(2))
        #expect(stage.loop.mailbox.status.activity == .noDevice(reason: reason.reason))
        #expect(stage.news.suffix(1) == [.outputInterrupted(reason)])
        #expect(!stage.loop.mailbox.status.isPaused)
        stage.sink.isSuspended = false
        work(after: .seconds(1))
        #expect(stage.loop.mailbox.status.activity == .playing && stage.loop.mailbox.status.rate == 1)
        #expect(stage.news.suffix(2) == [.outputInterrupted(reason), .outputRestored])
    }

    @Test("A device that an idle server suspended may take a moment to start")
    func start() {
        stage.say(.pause)
        stage.sink.isSuspended = true
        work(after: .seconds(60))
        stage.say(.play)
        work(after: .milliseconds(1900))
        #expect(stage.loop.mailbox.status.activity == .playing)
        stage.sink.isSuspended = false
        work(after: .seconds(1))
        #expect(!stage.news.contains(.outputInterrupted(reason)) && !stage.news.contains(.outputRestored))
    }

    @Test("Playback that is paused while the device is suspended counts as paused")
    func paused() {
        stage.sink.isSuspended = true
        stage.work()
        work(after: .seconds(2))
        stage.say(.pause)
        #expect(stage.loop.mailbox.status.activity == .paused(waiting: false))
        #expect(stage.news.suffix(1) == [.outputInterrupted(reason)])
        stage.say(.play)
        #expect(stage.loop.mailbox.status.activity == .noDevice(reason: reason.reason))
    }
}

@Suite("An output that disappears and returns")
struct OutageTests {
    private let gone = AudioOutputError.noServer("gone")
    private var failure: MediaFailure { MediaFailure(.unavailable, "gone") }

    private func isInterrupted(_ stage: Stage) async -> Bool {
        await eventually { stage.player.status.activity == .noDevice(reason: "gone") }
    }

    /// Returns a player whose output disappeared after 5000 pulled frames, 2000 of which had not been played.
    private func interruptedStage() async -> (stage: Stage, item: PlaybackItem) {
        let stage = Stage(sink: CapturingSink(allowance: 5000, holding: 2000))
        let item = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.sink.disconnect(gone)
        #expect(await isInterrupted(stage))
        return (stage, item)
    }

    @Test("The player reports an outage, retries the output and then plays every remaining sample once")
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

    @Test("A pause during an outage stays in effect")
    func pausedMeanwhile() async {
        let (stage, _) = await interruptedStage()
        stage.player.send(.pause)
        #expect(await eventually { stage.player.status.isPaused })
        stage.sink.allow(nil)
        #expect(await eventually { stage.events.contains(.outputRestored) })
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(stage.sink.isCorked && stage.sink.frames == 5000)
        stage.player.send(.play)
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("A seek during an outage moves the position at which playback resumes")
    func soughtMeanwhile() async {
        let (stage, _) = await interruptedStage()
        let target = Fixture.cbr.format.duration(ofFrames: 20_000)
        stage.player.send(.seek(.absolute(.time(target))))
        #expect(await eventually { stage.player.status.position == target })
        stage.sink.allow(nil)
        #expect(await eventually { stage.hasEnded })
        let wanted = Fixture.cbr.samples(from: 0, to: 3000) + Fixture.cbr.samples(from: 20_000)
        #expect(identical(stage.sink.samples, wanted))
        #expect(await stage.stop())
    }

    @Test("The player can be stopped during an outage")
    func stoppedMeanwhile() async {
        let (stage, _) = await interruptedStage()
        #expect(await stage.stop())
        #expect(!stage.events.contains(.ended) && stage.events.count { $0 == .outputInterrupted(failure) } == 1)
    }

    @Test("Unplugging the device pauses and reports it; play resumes at the same position")
    func unplugged() async {
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.sink.unplug()
        let why = MediaFailure(.unavailable, "the sound device was unplugged")
        #expect(await eventually { stage.player.status.activity == .paused(waiting: false) })
        #expect(await eventually { stage.events.contains(.pausedByItself(why)) })
        stage.sink.allow(nil)
        #expect(stage.sink.frames == 5000)
        stage.player.send(.play)
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    /// Returns a stage whose output was lost 301 seconds ago.
    private func stageWithLongOutage() -> LoopStage {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.sink.disconnect(gone)
        stage.work()
        stage.loop.output.outage = OutputOutage(failure, at: stage.loop.now - .seconds(301))
        return stage
    }

    private func isRestored(_ stage: LoopStage) async -> Bool {
        await eventually {
            stage.work()
            return stage.events.contains(.outputRestored)
        }
    }

    @Test("The status names a pause also while the output is missing")
    func pausedStatus() {
        let stage = LoopStage(clock: ManualClock())
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.sink.disconnect(gone)
        stage.say(.pause)
        let status = stage.loop.mailbox.status
        #expect(status.isPaused && status.activity == .noDevice(reason: "gone"))
    }

    @Test("Sound that the listener asks for during an outage does not pause when it returns, on any device")
    func askedFor() async {
        let stage = stageWithLongOutage()
        stage.receive(.command(.pause), .command(.play), .sink(.unplugged))
        #expect(stage.loop.machine.intent == .play)
        #expect(await isRestored(stage))
        #expect(stage.loop.machine.intent == .play && !stage.sink.isCorked)
    }

    @Test("An output that returns after more than five minutes stays paused")
    func longAway() async {
        let stage = stageWithLongOutage()
        #expect(await isRestored(stage))
        #expect(stage.loop.machine.intent == .pause && stage.sink.isCorked)
        let why = MediaFailure(.unavailable, "the sound output was unavailable for more than five minutes")
        #expect(stage.news.suffix(2) == [.pausedByItself(why), .outputRestored])
    }

    @Test("An early report of an unavailable output is ignored once the output is open")
    func lateNews() {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.receive(.noOutput(gone))
        #expect(stage.loop.output.outage == nil && !stage.sink.isCorked)
    }

    @Test("An output that cannot be prepared is reported when there is an item to play")
    func preparation() {
        let stage = LoopStage()
        stage.receive(.noOutput(gone))
        #expect(stage.news == [])
        stage.append(Fixture.cbr)
        #expect(stage.news == [.outputLost(failure)])
    }

    @Test("After a permanent loss of the output, the status has a pause and the seeks, for another player")
    func commandsAfterLoss() {
        let stage = LoopStage()
        stage.receive(.noOutput(gone))
        stage.append(Fixture.cbr)
        let seeks = [SeekTarget.absolute(.time(.seconds(1))), .relative(.seconds(1))]
        stage.say(.pause, .seek(seeks[0]), .seek(seeks[1]))
        let status = stage.loop.mailbox.status
        #expect(status.isPaused && status.awaitedSeeks == seeks && stage.news == [.outputLost(failure)])
    }

    @Test("An output that cannot be prepared is not reported without an item to play")
    func preparationForNothing() {
        let stage = LoopStage()
        stage.receive(.noOutput(gone))
        stage.say(.closePlaylist)
        #expect(stage.news == [.ended])
    }

    @Test("An output that a retry restored and that was lost again is retried")
    func goesAgain() async {
        let stage = LoopStage()
        stage.append(Fixture.cbr)
        stage.play(5000)
        stage.sink.disconnect(gone)
        stage.work()
        _ = stage.loop.output.outage?.beginAttempt(at: stage.loop.now + .seconds(1))
        stage.receive(.sink(.lost(gone)), .outputAttempted(1, nil))
        #expect(stage.loop.output.outage != nil && !stage.events.contains(.outputRestored))
        #expect(await isRestored(stage))
        #expect(!stage.sink.isCorked && stage.events.count { $0 == .outputInterrupted(failure) } == 1)
    }
}
