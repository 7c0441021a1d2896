// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Testing

@testable import Playback

@Suite("Runs written to the ring")
struct WrittenRunsTests {
    private func run(
        _ source: Int64, frames: Int32 = 100, sourceFrames: Int32 = 100, generation: UInt32 = 1, version: UInt16 = 0
    ) -> FrameRun {
        FrameRun(
            generation: generation, item: 1, version: version, sourceFrame: source, frames: frames,
            sourceFrames: sourceFrames)
    }

    private func place(_ source: Int64, generation: UInt32 = 1, version: UInt16 = 0) -> RenderedTimeline.Position {
        .init(item: 1, generation: generation, version: version, sourceFrame: source)
    }

    private func written(_ runs: FrameRun...) -> WrittenRuns {
        runs.reduce(into: WrittenRuns()) { $0.append($1) }
    }

    @Test("Unprocessed runs that touch become one; others stay apart")
    func merging() {
        #expect(written(run(0), run(100)).following(place(0)) == [run(0, frames: 200, sourceFrames: 200)])
        let apart = [run(0), run(100, sourceFrames: 200), run(300), run(300, generation: 2)]
        #expect(apart.reduce(into: WrittenRuns()) { $0.append($1) }.following(place(0)) == apart)
    }

    @Test("The runs begin at the given place, also inside a run at another speed")
    func parts() {
        let runs = written(run(0, sourceFrames: 200), run(200))
        #expect(runs.following(place(50)) == [run(50, frames: 75, sourceFrames: 150), run(200)])
        #expect(runs.following(place(200)) == [run(200)])
        #expect(runs.following(place(300)) == [])
        #expect(runs.following(place(0, generation: 2)) == [])
    }

    @Test("The runs of an earlier version come before those of a shorter one, whose numbers are lower")
    func shorterVersion() {
        var runs = written(run(900), run(1000), run(100, version: 1), run(200, version: 1))
        let joined = run(100, frames: 200, sourceFrames: 200, version: 1)
        #expect(runs.following(place(1050)) == [run(1050, frames: 50, sourceFrames: 50), joined])
        #expect(runs.following(place(150, version: 1)) == [run(150, frames: 150, sourceFrames: 150, version: 1)])
        runs.forget(before: place(100, version: 1))
        #expect(runs.following(place(0)) == [joined])
    }

    @Test("Played runs, and those of items that were removed, are forgotten")
    func forgetting() {
        var runs = written(run(0, sourceFrames: 200), run(200), run(0, generation: 2))
        runs.forget(before: place(200))
        #expect(runs.following(place(0)) == [run(200), run(0, generation: 2)])
        runs.remove(from: 2)
        #expect(runs.following(place(0)) == [run(200)])
        runs.removeAll()
        #expect(runs.following(place(0)) == [])
    }
}
