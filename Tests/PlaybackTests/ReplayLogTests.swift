// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Testing

@testable import Playback

@Suite("ReplayLog")
struct ReplayLogTests {
    private static func run(
        at frame: Int64, frames: Int32 = 1024, version: UInt16 = 0, mark: FrameRun.Mark = []
    ) -> FrameRun {
        FrameRun(generation: 1, item: 1, version: version, sourceFrame: frame, frames: frames, mark: mark)
    }

    private static func place(_ frame: Int64, version: UInt16 = 0) -> RenderedTimeline.Position {
        RenderedTimeline.Position(item: 1, generation: 1, version: version, sourceFrame: frame)
    }

    /// Returns a log of runs that were all processed.
    private static func processed(_ runs: [FrameRun]) -> ReplayLog {
        var log = ReplayLog(channels: 1)
        for run in runs {
            let samples = [Float](repeating: 0, count: Int(run.frames))
            samples.withUnsafeBufferPointer { log.append($0, as: run) }
        }
        while log.takeNext({ run, _ in Int(run.frames) }) {}
        return log
    }

    @Test("A shorter version whose frames have the numbers of the one before is a place of its own")
    func shorterVersion() {
        let runs = [Self.run(at: 10_240), Self.run(at: 11_264), Self.run(at: 11_264, version: 1)]
        var log = Self.processed(runs)
        log.rewind(to: Self.place(11_300, version: 1))
        #expect(log.waitingFrames == 1024 - 36)
        log.rewind(to: Self.place(11_300))
        #expect(log.waitingFrames == 2048 - 36)
        while log.takeNext({ run, _ in Int(run.frames) }) {}
        log.forget(before: Self.place(11_264, version: 1))
        log.rewind(to: nil)
        #expect(log.waitingFrames == 1024)
    }

    @Test("A device that has played all processed frames leaves nothing in the log")
    func playedToTheEnd() {
        var log = Self.processed([Self.run(at: 0), Self.run(at: 1024)])
        log.forget(before: Self.place(2048))
        #expect(log.next?.sourceFrame == nil)
        // Frames that follow are processed as if the others were still there.
        let samples = [Float](repeating: 0, count: 1024)
        samples.withUnsafeBufferPointer { log.append($0, as: Self.run(at: 2048)) }
        log.rewind(to: Self.place(2048))
        #expect(log.next?.sourceFrame == 2048)
        #expect(log.waitingFrames == 1024)
    }

    @Test("The run being heard, and those after it, can be processed again")
    func heardRun() {
        var log = Self.processed([Self.run(at: 0), Self.run(at: 1024), Self.run(at: 2048)])
        log.forget(before: Self.place(1500))
        log.rewind(to: Self.place(1500))
        #expect(log.next?.sourceFrame == 1500)
        #expect(log.waitingFrames == 3072 - 1500)
        log.rewind(to: nil)
        #expect(log.next?.sourceFrame == 1024)
    }

    @Test("The mark of an end is kept until its item is forgotten")
    func endMark() {
        var log = Self.processed([Self.run(at: 0), Self.run(at: 1024, frames: 0, mark: .last)])
        log.forget(before: Self.place(1024))
        log.rewind(to: Self.place(1024))
        #expect(!log.isDone)
        #expect(log.waitingFrames == 0)
    }
}
