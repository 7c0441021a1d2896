// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Synchronization
import Testing

@testable import Playback

@Suite("Distances over hidden chapters that are left out")
struct HiddenChapterTests {
    /// Returns a stage that has played an item up to about ten seconds. The hidden chapter lasts from 8 s to 9 s.
    private func stage(rewind: RewindRule = .fixed(.zero), speed: Double = 1) -> LoopStage {
        let stage = LoopStage()
        let chapters = [
            Chapter(start: .zero, title: "One"),
            Chapter(start: .seconds(8), end: .seconds(9), title: "Hidden", isInTableOfContents: false),
            Chapter(start: .seconds(9), title: "Two"), Chapter(start: .seconds(20), title: "Three"),
        ]
        stage.sources.chapters.withLock { $0[0] = [ChapterList(.json, chapters)] }
        stage.append(.longCBR, skipsHidden: true, rewind: rewind)
        stage.say(.closePlaylist, .setSpeed(speed))
        stage.play(Int(9 * 44_100 / speed))
        return stage
    }

    /// Returns true if a position is this long before another one, without the hidden chapter.
    /// - Parameter tolerance: in milliseconds.
    private func isBefore(
        _ position: Duration, _ later: Duration, by distance: Duration, within tolerance: Double = 1
    ) -> Bool {
        let difference = later - position - .seconds(1) - distance
        return abs(difference / .milliseconds(1)) < tolerance
    }

    @Test("A seek back crosses a hidden chapter, as does a rewind after a pause", arguments: [false, true])
    func back(isRewind: Bool) throws {
        let stage = stage(rewind: .fixed(.seconds(isRewind ? 3 : 0)))
        let position = try #require(stage.loop.position)
        #expect(position > .seconds(9) && position < .seconds(11))
        if isRewind { stage.say(.pause, .play) } else { stage.say(.seek(.relative(.seconds(-3)))) }
        let target = try #require(stage.loop.position)
        #expect(isBefore(target, position, by: .seconds(3)), "\(position), \(target)")
    }

    @Test("A rewind after a pause does not leave a hidden chapter that plays")
    func inside() {
        let stage = stage(rewind: .fixed(.seconds(3)))
        stage.say(.seek(.absolute(.time(.seconds(8)))))
        stage.play(22_050)
        stage.say(.pause, .play)
        #expect(stage.loop.position == .milliseconds(8040))
        #expect(stage.loop.skippedSpans == [])
    }

    @Test("A rewind after a pause counts the time of a hidden chapter that was played")
    func behind() throws {
        let stage = stage(rewind: .fixed(.seconds(3)))
        stage.say(.seek(.absolute(.time(.milliseconds(8500)))))
        stage.play(132_300)
        let position = try #require(stage.loop.position)
        stage.say(.pause, .play)
        #expect(position > .seconds(9))
        #expect(try #require(stage.loop.position) > .seconds(8))
        #expect(stage.loop.skippedSpans == [])
    }

    @Test("A bookmark marks the position that was heard three seconds ago at any speed", arguments: [1.0, 2])
    func mark(speed: Double) throws {
        let stage = stage(speed: speed)
        let position = try #require(stage.loop.position)
        stage.say(.mark(note: nil))
        let marks = stage.news.compactMap { if case .marked(_, let place, _, _, _) = $0 { place } else { nil } }
        let mark = try #require(marks.first)
        // At another speed, the parts that are omitted are not evenly distributed.
        let tolerance = speed == 1 ? 1.0 : 150
        #expect(
            isBefore(mark, position, by: Duration.seconds(3) * speed, within: tolerance), "\(position), \(mark)")
    }
}

@Suite("Starts and seeks into hidden chapters that are left out")
struct HiddenStartTests {
    /// Returns a stage with an item that has a hidden chapter.
    private func stage(
        _ hidden: Range<Int64> = 12_000..<17_500, from start: Int64? = nil, introduction: Int64? = nil,
        isResumed: Bool = false
    ) -> LoopStage {
        let stage = LoopStage()
        let time = { (frame: Int64) in Fixture.cbr.format.duration(ofFrames: frame) }
        let chapters = [
            Chapter(start: .zero, title: "One"),
            Chapter(
                start: time(hidden.lowerBound),
                end: hidden.upperBound < Fixture.cbr.frames ? time(hidden.upperBound) : nil, title: "Hidden",
                isInTableOfContents: false),
            Chapter(start: time(20_000), title: "Two"),
        ]
        stage.sources.chapters.withLock { $0[0] = [ChapterList(.json, chapters)] }
        stage.append(
            MemoryByteSource(Fixture.cbr.bytes), from: start.map { TimeTarget.time(time($0)) },
            introduction: introduction.map(time), isResumed: isResumed, skipsHidden: true)
        stage.say(.closePlaylist)
        return stage
    }

    /// The source frame after the last one played.
    private func frame(_ stage: LoopStage) -> Int64? {
        stage.loop.output.timeline.position(at: stage.sink.playedFrames)?.sourceFrame
    }

    @Test(
        "A start that the listener chose plays the hidden chapter around it",
        arguments: [(12_000..<17_500, 15_000), (40_000..<Fixture.cbr.frames, 45_000)] as [(Range<Int64>, Int64)])
    func chosen(hidden: Range<Int64>, start: Int64) {
        let stage = stage(hidden, from: start)
        #expect(stage.loop.mailbox.status.skipped == [])
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, Fixture.cbr.samples(from: start)))
    }

    @Test("A saved position at the start of a hidden chapter leaves it out")
    func savedAtStart() {
        let stage = stage(from: 12_000, isResumed: true)
        #expect(stage.playOut())
        #expect(stage.sink.samples.count == Fixture.cbr.samples(from: 17_500).count)
    }

    @Test("A saved position inside a hidden chapter plays the rest of it")
    func savedInside() {
        let stage = stage(40_000..<Fixture.cbr.frames, from: 45_000, isResumed: true)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, Fixture.cbr.samples(from: 45_000)))
    }

    @Test("The end of an introduction inside a hidden chapter leaves out the rest of it")
    func introduction() {
        let stage = stage(from: 14_000, introduction: 14_000, isResumed: true)
        #expect(stage.playOut())
        #expect(stage.sink.samples.count == Fixture.cbr.samples(from: 17_500).count)
    }

    @Test("A seek into a hidden chapter or inside it plays the rest, and one to an earlier place leaves it out")
    func seeks() throws {
        let stage = stage()
        stage.play(1000)
        stage.say(.seek(Fixture.cbr.target(14_000)))
        stage.play(2000)
        #expect(frame(stage) == 16_000)
        stage.say(.seek(.relative(.milliseconds(-20))))
        stage.play(100)
        let inside = try #require(frame(stage))
        #expect(inside > 15_000 && inside < 16_000)
        stage.say(.seek(Fixture.cbr.target(11_000)))
        stage.play(2000)
        let after = try #require(frame(stage))
        #expect(after > 17_500)
    }

    @Test("A seek forward by a distance does not lead into a hidden last chapter")
    func forward() {
        let stage = stage(40_000..<Fixture.cbr.frames)
        stage.play(30_000)
        stage.say(.seek(.relative(.milliseconds(300))))
        #expect(stage.playOut())
        #expect(stage.sink.frames < 31_000)
    }

    @Test("A seek beyond the end by a distance is refused, also after a hidden last chapter")
    func beyond() {
        let stage = stage(40_000..<Fixture.cbr.frames)
        stage.play(30_000)
        stage.say(.seek(.relative(.seconds(60))))
        #expect(stage.playOut())
        #expect(stage.sink.frames > 39_000)
    }

    @Test("No chapter is announced after the end of its item")
    func end() {
        let stage = stage(40_000..<Fixture.cbr.frames, from: 40_000, isResumed: true)
        #expect(stage.playOut())
        let ends = stage.news.count { if case .itemEnded = $0 { true } else { false } }
        let chapters = stage.news.count { if case .chapterChanged = $0 { true } else { false } }
        #expect(ends == 1 && chapters == 0)
    }
}
