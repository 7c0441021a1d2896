// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("The whole path to a sound server", .serialized, .soundLane, .needsSoundServer)
struct PlayerPulseTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    /// Returns the frames of a demo episode in a range of seconds.
    private func reference(_ number: Int, _ time: Range<Double>) throws -> ArraySlice<UInt64> {
        func frame(_ time: Double) -> Int { Int((time * Double(DemoEpisodes.sampleRate)).rounded()) }
        let frames = Frames(bytes: try DemoEpisodes.samples(number)).all
        return frames[frame(time.lowerBound)..<min(frames.count, frame(time.upperBound))]
    }

    @Test("One part continues in the next: every sample in order, once, without a gap")
    func gapless() async throws {
        let items: [PlayerRun.Item] = [
            .init(place: DemoEpisodes.path(1), from: .seconds(12)),
            .init(place: DemoEpisodes.path(2), until: .seconds(1)),
        ]
        let wanted = Frames(Array(try reference(1, 12..<20) + reference(2, 0..<1)))
        try await PulseStage.expectGapless(items, wanted)
    }

    @Test("A section of 26 ms or less plays completely", arguments: [0.026, 0.001])
    func short(length: Double) async throws {
        let run = stage.start([.init(place: DemoEpisodes.path(2), from: .seconds(5), until: .seconds(5 + length))])
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(2, 5..<(5 + length)))).sounding
        let heard = await stage.heard(wanted.count)
        #expect(isOver && run.failures == [] && wanted.count > 40)
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("A pause adds silence and loses no sample")
    func pause() async throws {
        let run = stage.start([.init(place: DemoEpisodes.path(3), from: .seconds(4), until: .seconds(9))])
        #expect(await run.wait { $0.player.status.position ?? .zero > .milliseconds(4500) })
        run.player.send(.pause)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await stage.isSilent())
        run.player.send(.play)
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(3, 4..<9))).sounding
        let heard = await stage.heard(wanted.count)
        #expect(isOver && run.failures == [])
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("A stall adds silence, loses no sample, and ends when data arrives")
    func stall() async throws {
        let (demo, whole, hasStalled) = (try FaultServer(), DemoEpisodes.episode(5), Gate())
        demo.handle("/part5.mp3") { _, earlier in
            guard earlier > 0 else { return whole.cut(after: 16_000) }
            hasStalled.pass()
            return whole
        }
        let run = stage.start([.init(place: demo.url("/part5.mp3"), until: .milliseconds(3500))])
        // Without the command, a player that starts late waits for all bytes.
        let stalls = await run.wait { run in
            run.player.send(.playNow)
            return run.stalls == 1
        }
        hasStalled.open()
        #expect(stalls)
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(5, 0..<3.5))).sounding
        let heard = await stage.heard(wanted.count)
        #expect(isOver && run.failures == [] && run.stalls == 1)
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }
}
