// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Testing

private func part(
    _ item: UInt32, _ sourceFrame: Int64, _ frames: Int32, at outputFrame: Int64, _ mark: FrameRun.Mark = [],
    generation: UInt32 = 0
) -> RenderedRun {
    RenderedRun(
        run: FrameRun(generation: generation, item: item, sourceFrame: sourceFrame, frames: frames, mark: mark),
        outputFrame: outputFrame)
}

private func place(_ item: UInt32, _ sourceFrame: Int64, _ beyond: Int64) -> RenderedTimeline.Position {
    RenderedTimeline.Position(item: item, generation: 0, sourceFrame: sourceFrame + beyond)
}

@Suite("RenderedTimeline") struct RenderedTimelineTests {
    /// Item 1: frames 10 ..< 30 at 0 ..< 20, item 2: frames 0 ..< 10 at 20 ..< 30.
    private var timeline: RenderedTimeline {
        var timeline = RenderedTimeline()
        timeline.append(part(1, 10, 10, at: 0, .first))
        timeline.append(part(1, 20, 10, at: 10, .last))
        timeline.append(part(2, 0, 10, at: 20, [.first, .last]))
        return timeline
    }

    @Test(
        "The position at an output frame",
        arguments: [
            (-1, nil), (0, place(1, 10, 0)), (9, place(1, 10, 9)), (10, place(1, 20, 0)), (19, place(1, 20, 9)),
            (20, place(2, 0, 0)), (30, place(2, 0, 10)), (99, place(2, 0, 10)),
        ] as [(Int64, RenderedTimeline.Position?)])
    func placeTable(outputFrame: Int64, expected: RenderedTimeline.Position?) {
        #expect(timeline.position(at: outputFrame) == expected)
    }

    @Test("An item starts with its first played frame and ends with its last, each announced once and in order")
    func dialogue() {
        var timeline = timeline
        #expect(timeline.advance(toHeard: 0) == [])
        #expect(timeline.advance(toHeard: 1) == [.firstHeard(item: 1, generation: 0)])
        #expect(timeline.advance(toHeard: 19) == [])
        #expect(timeline.advance(toHeard: 20) == [.lastHeard(item: 1, generation: 0)])
        #expect(timeline.advance(toHeard: 21) == [.firstHeard(item: 2, generation: 0)])
        #expect(timeline.advance(toHeard: 30) == [.lastHeard(item: 2, generation: 0)])
        #expect(timeline.advance(toHeard: 30) == [])
        #expect(timeline.position(at: 30) == place(2, 0, 10))
    }

    @Test(
        "The next boundary is the first frame of an item or a seek, or the end of an item; frames read ahead count",
        arguments: [(-1, 2), (0, 1), (5, 15), (19, 1), (20, 1), (25, 5), (30, 11), (41, nil)] as [(Int64, Int64?)])
    func boundaries(outputFrame: Int64, frames: Int64?) {
        let next = [
            FrameRun(generation: 0, item: 2, sourceFrame: 10, frames: 10),
            FrameRun(generation: 1, item: 2, sourceFrame: 90, frames: 10),
        ]
        #expect(timeline.framesToBoundary(from: outputFrame, followedBy: next) == frames)
    }

    @Test("An empty run is announced when every frame before it has been played")
    func emptyRuns() {
        var timeline = RenderedTimeline()
        timeline.append(part(1, 0, 5, at: 0, .first))
        timeline.append(part(1, 5, 0, at: 5, .last))
        timeline.append(part(2, 0, 0, at: 5, [.first, .last]))
        #expect(timeline.advance(toHeard: 4) == [.firstHeard(item: 1, generation: 0)])
        #expect(
            timeline.advance(toHeard: 5) == [
                .lastHeard(item: 1, generation: 0), .firstHeard(item: 2, generation: 0),
                .lastHeard(item: 2, generation: 0),
            ])
    }

    @Test("After a flush only played frames remain, and stale runs that arrive later are ignored")
    func flush() {
        var timeline = timeline
        #expect(timeline.advance(toHeard: 12) == [.firstHeard(item: 1, generation: 0)])
        timeline.discard(before: 1, from: 12)
        timeline.append(part(1, 30, 10, at: 30))
        #expect(timeline.position(at: 12) == place(1, 20, 2))
        timeline.append(part(1, 500, 10, at: 12, generation: 1))
        #expect(timeline.advance(toHeard: 22) == [])
        #expect(
            timeline.position(at: 15)
                == RenderedTimeline.Position(item: 1, generation: 1, sourceFrame: 503))
    }

    @Test("Each played frame counts once, however playback is divided", arguments: 1...20)
    func playedFrames(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var timeline = RenderedTimeline()
        var (output, source, cut, heard): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
        for _ in 0..<60 {
            let run = FrameRun(
                generation: 0, item: 3, sourceFrame: source, frames: Int32.random(in: 1...200, using: &generator),
                sourceFrames: Int32.random(in: 300...500, using: &generator),
                cutFrames: Int32.random(in: 0...300, using: &generator))
            timeline.append(RenderedRun(run: run, outputFrame: output))
            (output, source) = (output + Int64(run.frames), source + Int64(run.sourceFrames))
            cut += Int64(run.cutFrames)
            heard = Int64.random(in: heard...output, using: &generator)
            // A device may count frames whose runs have not been read.
            _ = timeline.advance(toHeard: heard + (heard == output ? 50 : 0))
            #expect(timeline.played[3]?.output ?? 0 == heard)
        }
        _ = timeline.advance(toHeard: output)
        #expect(timeline.played[3]?.output == output)
        #expect(timeline.played[3]?.source == source)
        #expect(timeline.played[3]?.cut == cut)
    }

    @Test("The distance of the last frames is that at their speeds; it begins at a seek, also before its first frame")
    func distances() {
        var timeline = RenderedTimeline(remembering: 30)
        let fast = FrameRun(generation: 0, item: 1, sourceFrame: 500, frames: 20, sourceFrames: 60)
        for run in 0..<5 { timeline.append(part(1, Int64(run) * 100, 100, at: Int64(run) * 100)) }
        timeline.append(RenderedRun(run: fast, outputFrame: 500))
        timeline.append(part(1, 560, 10, at: 520))
        timeline.append(part(1, 900, 20, at: 530, generation: 1))
        _ = timeline.advance(toHeard: 525)
        #expect([0, 5, 10, 25, 30].map { timeline.distance(ofLast: $0) } == [0, 5, 20, 65, 70])
        _ = timeline.advance(toHeard: 530)
        #expect(timeline.distance(ofLast: 30) == 0)
        _ = timeline.advance(toHeard: 540)
        #expect(timeline.distance(ofLast: 30) == 10)
    }

    @Test("Frames that the device gave back do not count")
    func givenBack() {
        var timeline = timeline
        _ = timeline.advance(toHeard: 12)
        timeline.discard(from: 15)
        timeline.append(part(1, 500, 10, at: 15))
        _ = timeline.advance(toHeard: 25)
        #expect(timeline.played[1]?.source == 25)
        #expect(timeline.played[2] == nil)
    }

    @Test("An item ends although the device gave back all frames after its last one")
    func givenBackAtTheBorder() {
        var timeline = RenderedTimeline()
        timeline.append(part(1, 0, 10, at: 0))
        timeline.append(part(1, 10, 0, at: 10, .last))
        timeline.append(part(2, 0, 10, at: 10, .first, generation: 1))
        timeline.discard(from: 10)
        timeline.append(part(2, 0, 10, at: 10, .first, generation: 1))
        let announced = timeline.advance(toHeard: 15)
        #expect(announced == [.lastHeard(item: 1, generation: 0), .firstHeard(item: 2, generation: 1)])
    }

    @Test("At half speed, an item starts once although the device gave back all frames after the first one")
    func givenBackAtTheStart() {
        let run = FrameRun(generation: 0, item: 1, sourceFrame: 0, frames: 20, sourceFrames: 10, mark: .first)
        var timeline = RenderedTimeline()
        timeline.append(RenderedRun(run: run, outputFrame: 0))
        timeline.discard(from: 1)
        #expect(timeline.position(at: 1) == place(1, 0, 0))
        timeline.append(RenderedRun(run: run, outputFrame: 1))
        let announced = [timeline.advance(toHeard: 1), timeline.advance(toHeard: 10)]
        #expect(announced == [[.firstHeard(item: 1, generation: 0)], []])
    }

    @Test("For any steps of playback each mark is announced once and in order, and positions agree", arguments: 1...20)
    func property(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var timeline = RenderedTimeline()
        var (output, heard): (Int64, Int64) = (0, 0)
        var (expected, announced): ([RenderedTimeline.Announcement], [RenderedTimeline.Announcement]) = ([], [])
        var itemAt: [UInt32] = []
        for item in UInt32(0)..<60 {
            let frames = Int32.random(in: 0...9, using: &generator)
            timeline.append(part(item, 0, frames, at: output, [.first, .last]))
            expected += [.firstHeard(item: item, generation: 0), .lastHeard(item: item, generation: 0)]
            itemAt += Array(repeating: item, count: Int(frames))
            output += Int64(frames)
            heard = Int64.random(in: heard...output, using: &generator)
            announced += timeline.advance(toHeard: heard)
            if heard < output { #expect(timeline.position(at: heard)?.item == itemAt[Int(heard)]) }
        }
        #expect(announced + timeline.advance(toHeard: output) == expected)
    }
}
