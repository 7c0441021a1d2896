// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import EarshotTestSupport
import Media
import Synchronization
import Testing

@testable import Playback

/// A stage with one item, or two, whose chapters begin at frames.
struct ChapterStage {
    let stage: LoopStage
    let item: PlaybackItem
    let fixture: Fixture

    static let starts: [Int64] = [0, 9001, 20_000, 31_555]

    init(
        _ fixture: Fixture = .cbr, starts: [Int64] = starts, end: Int64? = nil, hidden: Range<Int64>? = nil,
        items: Int = 1, frames: Range<Int64>? = nil, holding held: Int64 = 0
    ) {
        self.fixture = fixture
        stage = LoopStage(holding: held)
        let time = { (frame: Int64) in fixture.format.duration(ofFrames: frame) }
        var chapters = starts.enumerated().map { Chapter(start: time($1), title: "Chapter \($0 + 1)") }
        if let last = chapters.indices.last { chapters[last].end = end.map(time) }
        if let hidden {
            chapters.append(
                Chapter(
                    start: time(hidden.lowerBound), end: time(hidden.upperBound), title: "Hidden",
                    isInTableOfContents: false))
        }
        let list = ChapterList(.json, chapters)
        stage.sources.chapters.withLock { lists in
            for id in 0..<UInt32(items) { lists[id] = [list] }
        }
        item = stage.append(fixture, frames, skipsHidden: hidden != nil)
        for _ in 1..<max(items, 1) { stage.append(fixture) }
        stage.say(.closePlaylist)
    }

    /// The source frame after the last one played.
    var frame: Int64? { stage.loop.output.timeline.position(at: stage.sink.playedFrames)?.sourceFrame }
    var isAsleep: Bool { stage.loop.machine.intent == .pause && stage.loop.sleep.countdown == nil }
}

@Suite("Chapters in the player")
struct ChapterPlaybackTests {
    @Test("The chapters are announced before the first chapter, and each chapter when it is played")
    func events() {
        let chapters = ChapterStage()
        #expect(chapters.stage.playOut())
        let names = chapters.stage.news.compactMap { event -> String? in
            switch event {
            case .itemStarted: "item"
            case .chaptersFound(_, let found): "\(found?.chapters.count ?? 0) chapters"
            case .chapterChanged(_, let place): "chapter \(place?.number ?? 0)"
            case .itemEnded: "end"
            default: nil
            }
        }
        #expect(names == ["item", "4 chapters", "chapter 1", "chapter 2", "chapter 3", "chapter 4", "end"])
    }

    @Test("Chapters that arrive late wake a paused player, which then announces them")
    func late() {
        let stage = LoopStage()
        let item = stage.append(.cbr)
        stage.say(.closePlaylist, .pause)
        // Ends the wait for what woke the player before.
        stage.loop.mailbox.wait(atMost: .zero)
        let format = Fixture.cbr.format
        let chapters = ([0, 9001] as [Int64]).map { Chapter(start: format.duration(ofFrames: $0), title: "\($0)") }
        stage.sources.chapters.withLock { $0[item.id] = [ChapterList(.json, chapters)] }
        stage.sources.chaptersChanged.withLock { $0[item.id] }?()
        let elapsed = ContinuousClock().measure { stage.loop.mailbox.wait(atMost: .seconds(60)) }
        #expect(elapsed < .seconds(30))
        stage.work()
        #expect(stage.loop.displayedChapters?.chapters.count == 2)
    }

    @Test("A chapter command seeks to the exact first frame of the chapter")
    func seeks() {
        let chapters = ChapterStage()
        chapters.stage.play(1000)
        for (choice, index) in [(ChapterChoice.next, 1), (.number(4), 3), (.previous, 2), (.title("ter 2"), 1)] {
            let before = chapters.stage.sink.samples.count
            chapters.stage.say(.chapter(choice))
            chapters.stage.play(500)
            let expected = chapters.fixture.samples(from: ChapterStage.starts[index])
            let played = chapters.stage.sink.samples.dropFirst(before)
            #expect(played.count >= 1000 && identical(Array(played), Array(expected.prefix(played.count))))
        }
    }

    @Test("Hidden chapters are left out exactly, with a short fade, if that is wanted", arguments: [1.0, 1.5])
    func hidden(speed: Double) {
        let hidden: Range<Int64> = 12_000..<17_500
        let chapters = ChapterStage(hidden: hidden)
        chapters.stage.say(.setSpeed(speed))
        #expect(chapters.stage.playOut())
        guard speed == 1 else { return }
        let (all, samples) = (chapters.fixture.samples, chapters.stage.sink.samples)
        #expect(samples.count == all.count - 2 * hidden.count)
        #expect(identical(Array(samples.prefix(24_000)), Array(all.prefix(24_000))))
        let rest = all.dropFirst(2 * Int(hidden.upperBound) + 800)
        #expect(identical(Array(samples.suffix(rest.count)), Array(rest)))
    }

    @Test("No frame of a hidden chapter is heard at the start or the end of an item", arguments: [false, true])
    func hiddenBorder(isFirst: Bool) {
        let length = Int64(Fixture.cbr.samples.count / 2)
        let hidden: Range<Int64> = isFirst ? 0..<9001 : 40_000..<length
        let chapters = ChapterStage(starts: [9001, 20_000], hidden: hidden, items: 2)
        #expect(chapters.stage.playOut())
        let all = chapters.fixture.samples
        let shown = isFirst ? Array(all.dropFirst(2 * 9001)) : Array(all.prefix(2 * 40_000))
        let samples = chapters.stage.sink.samples
        #expect(samples.count == shown.count + all.count)
        #expect(identical(Array(samples.prefix(shown.count)), shown))
        #expect(identical(Array(samples.suffix(all.count)), all))
        let started = chapters.stage.news.count { if case .itemStarted = $0 { true } else { false } }
        #expect(started == 2)
    }

    @Test(
        "A playlist of which hidden chapters leave out everything ends, also if it repeats",
        arguments: RepeatMode.allCases)
    func allHidden(mode: RepeatMode) {
        let chapters = ChapterStage(starts: [9001, 20_000], hidden: 0..<9001, frames: 0..<9000)
        chapters.stage.say(.setRepeat(mode))
        #expect(chapters.stage.playOut())
        #expect(chapters.stage.sink.samples.isEmpty)
    }

    @Test("A hidden chapter is played if nothing else is wanted")
    func plain() {
        let chapters = ChapterStage()
        #expect(chapters.stage.playOut())
        #expect(identical(chapters.stage.sink.samples, chapters.fixture.samples))
    }
}

@Suite("Sleep timer at the end of a chapter")
struct ChapterSleepTests {
    @Test("Playback pauses after the last frame of the chapter, and continues with the next one", arguments: [1, 2, 3])
    func stops(count: Int) {
        let chapters = ChapterStage()
        let stage = chapters.stage
        stage.play(1000)
        stage.say(.setSleep(.endOfChapter(count: count)))
        #expect(stage.loop.mailbox.status.sleep == .endOfChapter(count: count))
        stage.play(60_000)
        let end = ChapterStage.starts[count]
        #expect(chapters.isAsleep && stage.sink.isCorked && chapters.frame == end)
        #expect(identical(stage.sink.samples, chapters.fixture.samples(from: 0, to: end)))
        #expect(stage.news.contains(.sleepTimerEnded(chapters.item)))
        stage.say(.play, .setSleep(nil))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, chapters.fixture.samples))
    }

    @Test("It also stops if the device plays its last frames only because no others follow")
    func lastFrames() {
        let chapters = ChapterStage(holding: 2000)
        chapters.stage.say(.setSleep(.endOfChapter(count: 1)))
        chapters.stage.play(60_000)
        #expect(chapters.isAsleep && chapters.frame == 9001)
    }

    @Test("Armed before the first frame, it stops at the end of the first chapter")
    func early() {
        let chapters = ChapterStage()
        chapters.stage.say(.setSleep(.endOfChapter(count: 1)))
        chapters.stage.play(60_000)
        #expect(identical(chapters.stage.sink.samples, chapters.fixture.samples(from: 0, to: ChapterStage.starts[1])))
    }

    @Test("If a hidden chapter that is left out ends the chapter, it stops before the hidden one")
    func hidden() {
        let chapters = ChapterStage(hidden: 18_000..<20_000)
        chapters.stage.say(.setSleep(.endOfChapter(count: 2)))
        chapters.stage.play(60_000)
        #expect(chapters.isAsleep && chapters.frame == 18_000)
        chapters.stage.say(.play, .setSleep(nil))
        #expect(chapters.stage.playOut())
        #expect(chapters.stage.sink.samples.count == chapters.fixture.samples.count - 2 * 2000)
    }

    @Test("If only a hidden chapter that is left out follows, the chapter ends with the item", arguments: [1, 2])
    func hiddenEnd(count: Int) {
        let fixture = Fixture.longCBR
        let end = fixture.frames - 200_000
        let chapters = ChapterStage(fixture, starts: [0, 9001], end: end, hidden: end..<fixture.frames, items: 2)
        let stage = chapters.stage
        stage.play(1000)
        stage.say(.setSleep(.endOfChapter(count: count)), .seek(fixture.target(end - 3000)))
        stage.play(60_000)
        let next = count == 1 ? [] : fixture.samples(from: 0, to: 9001)
        let expected = fixture.samples(from: 0, to: 1000) + fixture.samples(from: end - 3000, to: end) + next
        #expect(chapters.isAsleep && stage.news.contains(.itemEnded(chapters.item)))
        #expect(identical(stage.sink.samples, expected))
    }

    @Test("Play arms it again for the next chapter")
    func again() {
        let chapters = ChapterStage()
        chapters.stage.say(.setSleep(.endOfChapter(count: 1)))
        for start in ChapterStage.starts.dropFirst() {
            chapters.stage.play(60_000)
            #expect(chapters.isAsleep && chapters.frame == start)
            chapters.stage.say(.play)
        }
    }

    @Test("The end of the item ends its last chapter, and the next item is not heard")
    func lastChapter() {
        let chapters = ChapterStage(items: 2)
        let stage = chapters.stage
        stage.play(1000)
        stage.say(.setSleep(.endOfChapter(count: 4)))
        stage.play(600_000)
        #expect(chapters.isAsleep && identical(stage.sink.samples, chapters.fixture.samples))
        stage.say(.play, .setSleep(nil))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, chapters.fixture.samples + chapters.fixture.samples))
    }

    @Test("Chapters are counted across items")
    func acrossItems() {
        let chapters = ChapterStage(items: 2)
        chapters.stage.play(1000)
        chapters.stage.say(.setSleep(.endOfChapter(count: 5)))
        chapters.stage.play(600_000)
        let expected = chapters.fixture.samples + chapters.fixture.samples(from: 0, to: ChapterStage.starts[1])
        #expect(chapters.isAsleep && identical(chapters.stage.sink.samples, expected))
    }

    @Test(
        "After a seek to within 20 ms of the chapter's end, the next chapter counts",
        arguments: [(0, 2), (1, 2), (700, 2), (1000, 1)] as [(Int64, Int)])
    func seekToEnd(before: Int64, chapter: Int) {
        let chapters = ChapterStage()
        let stage = chapters.stage
        stage.play(1000)
        stage.say(.setSleep(.endOfChapter(count: 1)))
        let target = chapters.fixture.format.duration(ofFrames: ChapterStage.starts[1] - before)
        stage.say(.seek(.absolute(.time(target))))
        stage.play(60_000)
        #expect(chapters.isAsleep && chapters.frame == ChapterStage.starts[chapter])
    }

    @Test("Off, the timer of a chapter no longer holds the sound")
    func disarmed() {
        let chapters = ChapterStage()
        chapters.stage.play(1000)
        chapters.stage.say(.setSleep(.endOfChapter(count: 1)))
        chapters.stage.play(5000)
        chapters.stage.say(.setSleep(nil))
        #expect(chapters.stage.playOut())
        #expect(identical(chapters.stage.sink.samples, chapters.fixture.samples))
    }

    @Test(
        "After random seeks, speeds and settings, playback stops exactly at the end of a chapter",
        arguments: 0..<LongTests.size(10 as UInt64, inFull: 30))
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let chapters = ChapterStage()
        let stage = chapters.stage
        stage.play(500)
        stage.say(.setSleep(.endOfChapter(count: 1)))
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            stage.play(.random(in: 1...4000, using: &random))
            guard !chapters.isAsleep else { break }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: stage.say(.setSpeed([0.5, 1, 1.3, 2, 3.5][Int.random(in: 0..<5, using: &random)]))
            case 1: stage.say(.chapter([.next, .previous, .number(2)][Int.random(in: 0..<3, using: &random)]))
            case 2: stage.say(.seek(.relative(.milliseconds(.random(in: -300...300, using: &random)))))
            default:
                let level: SilenceTrimming = Bool.random(using: &random) ? .off : .mild
                stage.say(.changeSound(SoundChanges(silenceTrimming: level)))
            }
        }
        // After a seek to the end of a chapter, the next one counts: perhaps the last one, which ends with the item.
        let tolerance = chapters.fixture.format.frames(in: ChapterEnds.tolerance)
        let end = chapters.frame.map { frame in ChapterStage.starts.first { $0 > frame + tolerance } }
        let isLast = chapters.isAsleep ? false : end == .some(nil)
        if !chapters.isAsleep { stage.play(400_000) }
        #expect(chapters.isAsleep)
        if !isLast { #expect(ChapterStage.starts.contains(chapters.frame ?? -1), "\(chapters.frame ?? -1)") }
    }
}
