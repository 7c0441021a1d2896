// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Playlist edits during playback")
struct PlaylistEditTests {
    /// Returns a stage with items of 4000, 3000, 2000 and 1000 frames, all in the ring, after `heard` frames were
    /// pulled.
    private func stage(holding held: Int64 = 0, heard: Int = 1000) -> (LoopStage, [PlaybackItem]) {
        let stage = LoopStage(holding: held)
        let items = (1...4).map { number -> PlaybackItem in
            let start = Int64(number) * 7000
            return stage.append(number % 2 == 0 ? .cbr : .vbr, start..<start + Int64(5 - number) * 1000)
        }
        stage.say(.closePlaylist)
        stage.play(heard)
        return (stage, items)
    }

    private func wanted(_ stage: LoopStage, _ order: [Int]) -> [Float] { order.flatMap { stage.references[$0] } }

    private func story(_ items: [PlaybackItem], _ order: [Int]) -> [PlayerEvent] {
        order.flatMap { [.itemStarted(items[$0]), .itemEnded(items[$0])] } + [.ended]
    }

    static let edits: [(PlayerCommand, [Int])] = [
        (.remove(.id(1)), [0, 2, 3]), (.remove(.position(3)), [0, 1, 2]), (.move(.id(3), to: 1), [0, 3, 1, 2]),
        (.move(.position(1), to: 2), [0, 2, 1, 3]), (.move(.id(0), to: 2), [0, 3]), (.removeUpNext, [0]),
        (.remove(.position(9)), [0, 1, 2, 3]), (.move(.id(9), to: 0), [0, 1, 2, 3]), (.setRepeat(.off), [0, 1, 2, 3]),
    ]

    @Test(
        "Buffered frames of an item that no longer follows are not played; those of the new successor are",
        arguments: edits)
    func primed(edit: PlayerCommand, order: [Int]) {
        let (stage, items) = stage()
        #expect(stage.loop.audio.bufferedFrames == 9000)
        stage.say(edit)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, order)))
        #expect(stage.news == story(items, order))
        #expect(!stage.sink.calls.contains(.flush))
        #expect(stage.sources.isAllClosed)
    }

    @Test("Frames of the old successor in the device's buffer are rewound, and no frame is lost or played twice",
        arguments: edits)
    func taken(edit: PlayerCommand, order: [Int]) {
        let (stage, items) = stage(holding: 4500, heard: 5000)
        #expect(stage.sink.playedFrames == 500)
        stage.say(edit)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, order)))
        #expect(stage.news == story(items, order))
    }

    @Test("An edit while the device buffers frames of both items and has played none", arguments: edits)
    func takenUnheard(edit: PlayerCommand, order: [Int]) {
        let (stage, items) = stage(holding: 6000, heard: 5000)
        #expect(stage.sink.playedFrames == 0)
        stage.say(edit)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, order)))
        #expect(stage.news == story(items, order))
    }

    @Test("An edit before the first sound restarts the item without a seek")
    func unheard() {
        let (stage, items) = stage(holding: 6000, heard: 5000)
        stage.say(.remove(.id(1)))
        let status = stage.loop.mailbox.status
        #expect(status.item == items[0] && !status.isSeeking)
    }

    @Test("An edit while the device has played exactly the current item", arguments: edits)
    func atTheBorder(edit: PlayerCommand, order: [Int]) {
        let (stage, items) = stage(holding: 1000, heard: 5000)
        #expect(stage.sink.playedFrames == 4000)
        stage.say(edit)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, order)))
        #expect(stage.news == story(items, order))
    }

    @Test("Several edits before the old frames are passed", arguments: [0, 4500] as [Int64])
    func again(held: Int64) {
        let (stage, items) = stage(holding: held, heard: held == 0 ? 1000 : 5000)
        stage.say(.remove(.id(1)))
        stage.say(.move(.id(3), to: 1))
        stage.say(.setRepeat(.one))
        stage.say(.setRepeat(.off))
        stage.say(.move(.id(2), to: 1))
        stage.say(.remove(.id(3)))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, [0, 2])))
        #expect(stage.news == story(items, [0, 2]))
    }

    @Test("An edit after the next item, while frames dropped by an earlier edit are still in the ring")
    func behindTheNext() {
        let (stage, items) = stage()
        stage.say(.remove(.id(1)))
        stage.say(.remove(.id(3)))
        #expect(stage.loop.audio.bufferedFrames == 5000)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, [0, 2])))
        #expect(stage.news == story(items, [0, 2]))
    }

    @Test("Removing the current item continues with its successor or, without one, ends playback")
    func removesHeard() {
        let (stage, items) = stage()
        stage.say(.remove(.id(0)))
        stage.play(500)
        stage.say(.remove(.id(2)))
        stage.say(.remove(.id(1)))
        stage.play(300)
        stage.say(.remove(.position(0)))
        #expect(stage.playOut())
        let heard = [(0, 1000), (1, 500), (3, 300)].flatMap { stage.references[$0].prefix($1 * 2) }
        #expect(identical(stage.sink.samples, heard))
        #expect(stage.news == [0, 1, 3].map { .itemStarted(items[$0]) } + [.ended])
        #expect(stage.sources.isAllClosed)
    }

    @Test("An item that is removed while it loads is not waited for")
    func removesLoading() {
        let stage = LoopStage()
        let items = [0, nil].map { stage.append(.cbr, 0..<3000, arrived: $0) }
        stage.say(.closePlaylist)
        #expect(stage.loop.mailbox.status.activity == .loading)
        stage.say(.remove(.id(0)))
        #expect(stage.playOut())
        #expect(stage.news == story(items, [1]))
        #expect(stage.sources.isAllClosed)
    }

    @Test("Edits while paused play no sound", arguments: edits)
    func paused(edit: PlayerCommand, order: [Int]) {
        let (stage, items) = stage()
        stage.say(.pause, edit)
        #expect(stage.sink.pull(5000).isEmpty)
        stage.say(.play)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, order)))
        #expect(stage.news == story(items, order))
    }

    @Test("After the end an edit starts nothing, but an appended item plays")
    func ended() {
        let (stage, items) = stage()
        #expect(stage.playOut())
        let frames = stage.sink.frames
        for edit in [PlayerCommand.move(.id(3), to: 0), .setRepeat(.all), .remove(.id(3)), .setRepeat(.off)] {
            stage.say(edit)
        }
        stage.play(3000)
        #expect(stage.sink.frames == frames)
        let last = stage.append(.cbr, 0..<1500)
        stage.play(3000)
        stage.play(1)
        #expect(stage.sink.frames == frames + 1500)
        #expect(stage.news == story(items, [0, 1, 2, 3]) + [.itemStarted(last), .itemEnded(last), .ended])
    }

    @Test("\"next\" to an item that is already open, whose saved position lies beyond its end, starts it over")
    func nextIsResumedBeyondItsEnd() {
        let stage = LoopStage()
        let first = stage.append(.cbr, 0..<3000)
        let second = stage.append(MemoryByteSource(Fixture.vbr.bytes), from: .time(.seconds(1000)), isResumed: true)
        stage.say(.closePlaylist)
        stage.play(1000)
        stage.say(.next)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, Array(stage.references[0].prefix(2000)) + Fixture.vbr.samples))
        #expect(
            stage.news.filter { if case .beyondEnd = $0 { false } else { true } } == [
                .itemStarted(first), .itemStarted(second), .itemEnded(second), .ended,
            ])
    }

    // MARK: Repeating

    @Test("Repeat mode \"one\" repeats the item from one source until it is switched off")
    func repeatsOne() {
        let (stage, items) = stage()
        stage.say(.setRepeat(.one))
        stage.play(10_500)
        #expect(stage.sources.mostOpen <= 4)
        #expect(stage.loop.mailbox.status.item == items[0])
        stage.say(.setRepeat(.off))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, [0, 0, 0, 1, 2, 3])))
        #expect(stage.news == story(items, [0, 0, 0, 1, 2, 3]))
        #expect(stage.sources.isAllClosed)
    }

    @Test("Repeat mode \"all\" repeats the list, and \"next\" at its end goes to its start")
    func repeatsAll() {
        let (stage, items) = stage()
        stage.say(.setRepeat(.all))
        stage.play(9000 + 9500)
        stage.say(.next)
        stage.play(500)
        stage.say(.cycleRepeat)
        #expect(stage.playOut())
        let around = wanted(stage, [0, 1, 2, 3, 0, 1, 2]) + stage.references[3].prefix(1000)
        #expect(identical(stage.sink.samples, around + wanted(stage, [0, 1, 2, 3])))
        #expect(stage.news.filter { if case .itemStarted(items[3]) = $0 { true } else { false } }.count == 3)
    }

    @Test("A playlist without a playable item ends in every repeat mode", arguments: RepeatMode.allCases)
    func nothingToRepeat(mode: RepeatMode) {
        let stage = LoopStage()
        stage.say(.setRepeat(mode))
        let garbage = Fixture("garbage", Array("<html>not audio".utf8))
        for _ in 0..<3 { stage.append(garbage) }
        stage.say(.closePlaylist)
        #expect(stage.playOut())
        // An item may be opened a third time before every item has failed once.
        #expect(stage.news.count <= 3 * 3 + 1)
        #expect(stage.sources.isAllClosed)
    }

    @Test("An unplayable item is skipped on each repetition")
    func badOneInTheRound() {
        let stage = LoopStage()
        stage.say(.setRepeat(.all))
        let good = stage.append(.cbr, 0..<3000)
        stage.append(Fixture("garbage", Array("<html>not audio".utf8)))
        stage.say(.closePlaylist)
        stage.play(9500)
        #expect(identical(stage.sink.samples, Array(wanted(stage, [0, 0, 0, 0]).prefix(19_000))))
        #expect(stage.news.filter { $0 == .itemStarted(good) }.count == 4)
    }

    // MARK: Late items

    @Test("A late item causes no stall: the item before it ends, and the activity becomes loading",
        arguments: [0, 2000] as [Int64])
    func late(held: Int64) {
        let stage = LoopStage(holding: held)
        let items = [stage.append(.cbr, 0..<3000), stage.append(.vbr, 0..<3000, arrived: 0)]
        stage.say(.closePlaylist)
        stage.play(4000)
        stage.play(1)
        #expect(stage.events.suffix(2) == [.itemEnded(items[0]), .activityChanged(.loading)])
        #expect(stage.loop.mailbox.status.item == items[1])
        #expect(identical(stage.sink.samples, stage.references[0]))
        stage.list[1].release()
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, [0, 1])))
        #expect(stage.news == story(items, [0, 1]))
    }

    @Test("An item that is not appended yet is waited for in the same way")
    func lateAppend() {
        let stage = LoopStage()
        let first = stage.append(.cbr, 0..<3000)
        stage.play(4000)
        stage.play(1)
        #expect(stage.events.suffix(2) == [.itemEnded(first), .activityChanged(.loading)])
        let second = stage.append(.vbr, 0..<3000)
        stage.say(.closePlaylist)
        #expect(stage.playOut())
        #expect(stage.news == story([first, second], [0, 1]))
        #expect(identical(stage.sink.samples, wanted(stage, [0, 1])))
    }

    @Test("An awaited item that fails is skipped and reported")
    func lateAndBad() {
        let stage = LoopStage()
        let items = [nil, 0, nil].map { stage.append(.cbr, 0..<3000, arrived: $0) }
        stage.say(.closePlaylist)
        stage.play(4000)
        stage.play(1)
        stage.list[1].fail(MediaFailure(.missing, "gone"))
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, wanted(stage, [0, 2])))
        #expect(stage.news == [
            .itemStarted(items[0]), .itemEnded(items[0]), .itemFailed(items[1], MediaFailure(.missing, "gone")),
            .itemStarted(items[2]), .itemEnded(items[2]), .ended,
        ])
    }
}
