// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Sleep timer")
struct SleepTimerTests {
    @Test("A timed countdown fades over its last 20 seconds, linearly in decibels, and ends at zero")
    func fades() {
        var countdown = SleepCountdown(.after(.seconds(60)))
        var ends: [Bool] = []
        var gains: [Double] = []
        for (time, position) in [(40, 100), (10, 110), (11, 121), (1, 122)] {
            ends.append(countdown.played(.seconds(time), in: 1, at: .time(.seconds(position))))
            gains.append(countdown.gain)
        }
        #expect(ends == [false, false, true, false], "it ends once")
        #expect(gains[0] == 1 && abs(gains[1] - 0.1) < 1e-9 && abs(gains[2] - 0.01) < 1e-9)
        #expect(countdown.fadeStart?.place == .time(.seconds(100)))
    }

    @Test("A timer that is shorter than the fade fades over its whole time")
    func shortFade() {
        var countdown = SleepCountdown(.after(.seconds(10)))
        #expect(countdown.gain == 1 && !countdown.isFading)
        let isOver = [5, 4, 1].map { countdown.played(.seconds($0), in: 1, at: .time(.seconds(50))) }
        #expect(isOver == [false, false, true])
        #expect(abs(countdown.gain - 0.01) < 1e-9)
        var half = SleepCountdown(.after(.seconds(10)))
        _ = half.played(.seconds(5), in: 1, at: .time(.seconds(50)))
        #expect(abs(half.gain - 0.1) < 1e-9)
    }

    @Test("A countdown of items ends with the last of them")
    func counts() {
        var countdown = SleepCountdown(.endOfItem(count: 2))
        let first = countdown.itemEnded()
        #expect(!first && countdown.left == .endOfItem(count: 1))
        let second = countdown.itemEnded()
        #expect(second)
    }

    @Test(
        "The key steps through 30 minutes, 60 minutes, end of the chapter if there are chapters, end of the item, off",
        arguments: [false, true])
    func cycle(hasChapters: Bool) {
        var timers: [SleepTimer?] = [nil]
        for _ in 0..<(hasChapters ? 5 : 4) {
            timers.append(SleepTimer.next(after: timers.last ?? nil, hasChapters: hasChapters))
        }
        let chapter: [SleepTimer?] = hasChapters ? [.endOfChapter(count: 1)] : []
        #expect(
            timers == [nil, .after(.seconds(1800)), .after(.seconds(3600))] + chapter + [.endOfItem(count: 1), nil])
    }

    @Test("The key for the timer goes from another time to the next longer one", arguments: [
        (14, .after(.seconds(1800))), (2700, .after(.seconds(3600))), (7200, .endOfItem(count: 1)),
    ] as [(Int, SleepTimer)])
    func nextLonger(seconds: Int, next: SleepTimer) {
        #expect(SleepTimer.next(after: .after(.seconds(seconds)), hasChapters: false) == next)
    }

    @Test("When playback continues in a shorter version, the chapters after the same place count")
    func shorterVersion() {
        var countdown = SleepCountdown(.endOfChapter(count: 2))
        let first = FrameNumbering(generation: 1)
        countdown.armed(at: ChapterEnds(numbering: first, start: 0, position: 2900, frames: [1000, 3000, 5000]))
        let second = FrameNumbering(generation: 1, version: 1)
        var ends = ChapterEnds(
            numbering: second, shift: -2000, start: 950, position: 950, frames: [1000, 3000])
        var isOver = [countdown.played(ends)]
        #expect(countdown.hold(ends) == 3000)
        for position in [1000, 2900, 3000] as [Int64] {
            ends.position = position
            isOver.append(countdown.played(ends))
        }
        #expect(isOver == [false, false, false, true])
    }

    @Test("A chapter that ended before the start of another version counts as soon as that version is known")
    func endBeforeOtherVersion() {
        var countdown = SleepCountdown(.endOfChapter(count: 1))
        let first = FrameNumbering(generation: 1)
        countdown.armed(at: ChapterEnds(numbering: first, start: 0, position: 2900, frames: [1000, 3000]))
        let second = FrameNumbering(generation: 1, version: 1)
        let isOver = countdown.played(
            ChapterEnds(numbering: second, shift: 5000, start: 8100, position: 8100, frames: [6000, 8000, 9000]))
        #expect(isOver)
    }

    @Test("An item without chapters is one chapter")
    func noChapters() {
        let (stage, items) = stage()
        stage.play(1000)
        stage.say(.setSleep(.endOfChapter(count: 1)))
        stage.play(20_000)
        #expect(identical(stage.sink.samples, stage.references.prefix(1).flatMap { $0 }))
        #expect(stage.news.last == .sleepTimerEnded(items[0]))
    }

    /// A stage with three items of 4000, 3000 and 2000 frames.
    private func stage(clock: ManualClock? = nil) -> (LoopStage, [PlaybackItem]) {
        let stage = LoopStage(clock: clock)
        let items = (0..<3).map { stage.append(.cbr, Int64($0) * 7000..<Int64($0) * 7000 + 4000 - Int64($0) * 1000) }
        stage.say(.closePlaylist)
        return (stage, items)
    }

    @Test(
        "At the end of the item, playback pauses after its last frame, although the next item was already buffered",
        arguments: [1, 2])
    func endOfItem(count: Int) {
        let (stage, items) = stage()
        stage.play(1000)
        #expect(stage.loop.audio.bufferedFrames == 8000)
        stage.say(.setSleep(.endOfItem(count: count)))
        stage.play(20_000)
        #expect(identical(stage.sink.samples, stage.references.prefix(count).flatMap { $0 }))
        #expect(stage.loop.machine.intent == .pause && stage.sink.isCorked)
        #expect(stage.news.last == .sleepTimerEnded(items[count - 1]))
        stage.say(.play, .setSleep(nil))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, stage.references.flatMap { $0 }))
    }

    @Test("After the timer ended with an item, `play` plays the next one, up to the end of the timer armed again")
    func nextAfterEnd() {
        let (stage, items) = stage()
        stage.say(.setSleep(.endOfItem(count: 1)))
        for count in 1...2 {
            stage.play(20_000)
            #expect(identical(stage.sink.samples, stage.references.prefix(count).flatMap { $0 }))
            #expect(stage.news.last == .sleepTimerEnded(items[count - 1]))
            stage.say(.play)
        }
        stage.say(.setSleep(nil))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, stage.references.flatMap { $0 }))
    }

    @Test("An item that fails does not count as one of the items before the end of the timer")
    func failedItem() {
        let stage = LoopStage()
        let items = (0..<2).map { number -> PlaybackItem in
            if number == 1 { stage.append(MemoryByteSource([])) }
            return stage.append(.cbr, Int64(number) * 7000..<Int64(number) * 7000 + 4000)
        }
        stage.say(.closePlaylist, .setSleep(.endOfItem(count: 2)))
        stage.play(20_000)
        #expect(identical(stage.sink.samples, stage.references.flatMap { $0 }))
        #expect(stage.news.contains(.sleepTimerEnded(items[1])))
    }

    /// The duration of frames of the items.
    private func time(_ frames: Int64) -> Duration { Fixture.cbr.format.duration(ofFrames: frames) }

    @Test("A timer that ends pauses playback, and resumes where the fade began; a command during the fade extends it")
    func timed() {
        let (stage, _) = stage(clock: ManualClock())
        stage.play(500)
        stage.say(.setSleep(.after(time(1500))))
        stage.play(500)
        #expect(stage.loop.output.fade < 0.99, "it fades")
        stage.say(.arrange([]), .move(.position(1), to: 1))
        #expect(stage.loop.output.fade < 0.99, "these do not show that the listener is awake")
        stage.say(.changeVolume(by: 0))
        #expect(stage.loop.output.fade == 1 && stage.loop.sleep.countdown?.remaining == time(1500))
        stage.play(2000)
        #expect(stage.loop.machine.intent == .pause && stage.loop.output.fade == 1)
        #expect(stage.loop.position == time(1000), "the fade began there")
        stage.say(.play)
        #expect(stage.loop.sleep.countdown?.remaining == time(1500), "play arms it again")
        stage.say(.setSleep(nil))
        #expect(stage.playOut())
    }

    @Test("A timer whose fade began in the item before opens that one again, and no sample is lost after it")
    func fadedBorder() throws {
        let (stage, items) = stage(clock: ManualClock())
        stage.play(3000)
        stage.say(.setSleep(.after(time(2500))))
        stage.play(500)
        #expect(stage.loop.mailbox.status.fadedItem == items[0].id)
        stage.play(2500)
        #expect(stage.loop.machine.intent == .pause && stage.news.contains(.itemEnded(items[0])))
        #expect(stage.news.last == .sleepTimerEnded(items[0]) && stage.loop.position == time(3000))
        let status = stage.loop.mailbox.status
        #expect(status.item == items[0] && status.isSeeking && status.fadedItem == nil)

        let heard = stage.sink.samples.count
        stage.say(.play, .setSleep(nil))
        #expect(stage.playOut())
        let channels = Fixture.cbr.format.channels
        let rest = stage.references.flatMap { $0 }.dropFirst(3000 * channels)
        let played = stage.sink.samples[heard...]
        // The gain returns from that of the fade in the first frames.
        #expect(played.count == rest.count && identical(Array(played.dropFirst(2000)), Array(rest.dropFirst(2000))))
    }

    @Test("A timer whose fade crossed several items returns to the first of them")
    func fadedItems() {
        let (stage, items) = stage(clock: ManualClock())
        stage.play(3000)
        stage.say(.setSleep(.after(time(5000))))
        stage.play(6000)
        #expect(stage.news.last == .sleepTimerEnded(items[0]) && stage.loop.position == time(3000))
        stage.say(.play, .setSleep(nil))
        #expect(stage.playOut())
        let started = stage.events.compactMap { if case .itemStarted(let item) = $0 { item.id } else { nil } }
        #expect(started == [0, 1, 2, 0, 1, 2])
    }

    @Test("A timer shorter than the fade returns to the place that was chosen during a pause, before it began to count")
    func soughtBeforeFade() {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.say(.closePlaylist)
        stage.play(500)
        stage.say(.pause)
        stage.say(.setSleep(.after(time(1500))))
        stage.say(.seek(.absolute(.time(time(20_000)))))
        stage.say(.play)
        stage.play(1500)
        #expect(stage.loop.machine.intent == .pause && stage.loop.position == time(20_000))
    }

    @Test("A timer counts the sound that is played, not the time of the clock")
    func countsSound() {
        let clock = ManualClock()
        let (stage, _) = stage(clock: clock)
        stage.play(1000)
        stage.say(.setSleep(.after(time(2500))))
        clock.advance(by: .seconds(3600))
        stage.work()
        #expect(stage.loop.sleep.countdown?.remaining == time(2500) && stage.loop.machine.intent == .play)
        stage.say(.pause)
        clock.advance(by: .seconds(3600))
        stage.say(.play)
        #expect(stage.loop.sleep.countdown?.remaining == time(2500))
    }

    @Test("An output without a pace gets the same sound each time, up to the end of the timer")
    func unpaced() {
        let sounds = [1000, 64, 7].map { block in
            let stage = LoopStage(isPaced: false)
            stage.say(.setSleep(.after(.milliseconds(700))))
            stage.append(.cbr)
            stage.say(.closePlaylist)
            var pulls = 0
            while stage.loop.machine.intent == .play, pulls < 100_000 {
                _ = stage.sink.pull(block)
                stage.work()
                pulls += 1
            }
            return stage.sink.samples
        }
        let format = Fixture.cbr.format
        #expect(sounds[0].count == Int(format.frames(in: .milliseconds(700))) * format.channels)
        #expect(identical(sounds[0], sounds[1]) && identical(sounds[0], sounds[2]))
    }
}
