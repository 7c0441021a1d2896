// SPDX-License-Identifier: GPL-3.0-or-later
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
