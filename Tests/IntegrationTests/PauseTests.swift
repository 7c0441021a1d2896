// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Pause in every phase, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct PauseTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    @Test("C17 a pause during the first buffering or a seek is silent, and playback resumes at the right sample")
    func whileWaiting() async throws {
        let file = try TestSound(frames: 80_000).encoded("-b", "128")
        let wanted = try Frames(of: file).all
        let link = try ShapedLink([file], rate: 40_000, roundTrip: .milliseconds(100))
        let run = stage.start(link.items, isPaused: true)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await run.wait { $0.events.contains(.activityChanged(.paused(waiting: true))) })
        #expect(await stage.isSilent() && stage.recorded.sounding.isEmpty)
        run.player.send(.play)
        #expect(await run.wait { $0.position > .milliseconds(200) })
        run.player.send(.seek(.absolute(.time(.seconds(1)))))
        run.player.send(.pause)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await stage.isSilent())
        run.player.send(.play)
        let isOver = await run.playOut()
        let heard = await stage.heard(Frames(wanted).sounding.count).sounding
        #expect(isOver && run.failures == [])
        let rest = wanted[44_100...]
        #expect(heard.count > rest.count + 8000)
        #expect(Frames.differenceAtSeek(heard, from: wanted, to: rest) == nil)
    }

    @Test("C18 a pause while the device drains keeps the tail, and playback ends once")
    func whileDraining() async throws {
        // The device buffer is larger than the file, so the player has written all samples when playback starts.
        let file = try TestSound(frames: 10_000).encoded("-b", "128")
        let wanted = try Frames(of: file)
        let link = try ShapedLink([file])
        let (stage, run) = try await pausedBeforeEnd(link, wanted)
        run.player.send(.play)
        let isOver = await run.playOut()
        let heard = await stage.heard(wanted.sounding.count)
        #expect(isOver && run.failures == [] && run.events.count { $0 == .ended } == 1)
        #expect(firstDifference(heard.sounding, wanted.sounding) == nil)
    }

    /// Plays a short file and pauses after its first samples. On a busy machine the pause may come after the end; then
    /// it plays again.
    private func pausedBeforeEnd(_ link: ShapedLink, _ wanted: Frames) async throws -> (PulseStage, PlayerRun) {
        for _ in 0..<5 {
            let stage = try PulseStage()
            let run = stage.start(link.items)
            let capture = stage.capture
            #expect(await run.wait { _ in Frames(samples: capture.samples()).sounding.count > 99 })
            run.player.send(.pause)
            #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) || $0.hasEnded })
            #expect(await stage.isSilent())
            if !run.hasEnded, stage.recorded.sounding.count < wanted.sounding.count { return (stage, run) }
            _ = await run.stop()
        }
        throw PulseServer.Failure(reason: "no pause came before the end")
    }
}
