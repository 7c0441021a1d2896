// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Discarded sound fades out, and the next sound fades in", .serialized) struct PulseFadeTests {
    /// Writes stereo frames whose samples all have one value.
    private func write(_ value: Float, frames: Int, of player: RecordedPlayer) {
        let run = FrameRun(
            generation: player.harness.generation, item: 0, sourceFrame: 0, frames: Int32(frames))
        let samples = [Float](repeating: value, count: frames * 2)
        #expect(samples.withUnsafeBufferPointer { player.harness.ring.write($0, as: run) })
        player.sink.sourceRefilled()
    }

    @Test("The sound fades out and the next sound fades in, soon or after a silence", arguments: [0, 600_000])
    func discarding(microseconds: UInt32) async throws {
        let faults = try await repeatedFaults {
            let steps = try stepsOfDiscarding(after: microseconds)
            return steps.isEmpty ? nil : "\(steps)"
        }
        #expect(faults == [])
    }

    /// Discards what plays, and returns the steps of the recording that no fade has.
    private func stepsOfDiscarding(after microseconds: UInt32) throws -> [Float] {
        let player = try RecordedPlayer()
        write(0.5, frames: 44_100, of: player)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 8000 })
        player.harness.ring.discard(before: 1)
        let next = player.sink.discard(fadingIn: .milliseconds(8))
        usleep(microseconds)
        player.harness.generation = 1
        write(-0.25, frames: 22_050, of: player)
        player.sink.uncork()
        #expect(player.harness.playOut())
        #expect(player.sink.playedFrames == next + 22_050)
        var heard: ArraySlice<Float> = []
        let isWhole = player.harness.recorder.wait {
            let samples = player.capture.samples()
            heard = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }.drop { $0 == 0 }
            heard = heard.prefix(through: heard.lastIndex(of: -0.25) ?? heard.startIndex)
            return heard.count { $0 == -0.25 } >= 22_050 - 360
        }
        #expect(isWhole && heard.contains(0.5), "all but 8 ms have the full level")
        try player.sink.close()
        return zip(heard, heard.dropFirst()).map { abs($1 - $0) }.filter { $0 >= 0.005 }
    }

    @Test("After a pause the next frames fade in within the given time; all others are exact", arguments: [0, 2, 8])
    func discardingInPause(milliseconds: Int) throws {
        let player = try RecordedPlayer()
        write(0.5, frames: 44_100, of: player)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 8000 })
        player.sink.cork()
        player.harness.ring.discard(before: 1)
        let next = player.sink.discard(fadingIn: .milliseconds(milliseconds))
        player.harness.generation = 1
        write(-0.25, frames: 22_050, of: player)
        player.sink.uncork()
        #expect(player.harness.playOut())
        #expect(player.sink.playedFrames == next + 22_050)
        let faded = Int(player.harness.ring.format.frames(in: .milliseconds(milliseconds)))
        var heard: [Float] = []
        let isWhole = player.harness.recorder.wait {
            let samples = player.capture.samples()
            heard = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }.filter { $0 < 0 }
            return heard.count == 22_050
        }
        #expect(isWhole && heard.count { $0 != -0.25 } == faded, "\(heard.count)")
        #expect(heard.dropFirst(faded).allSatisfy { $0 == -0.25 })
        try player.sink.close()
    }
}
