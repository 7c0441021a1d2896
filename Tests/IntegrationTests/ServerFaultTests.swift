// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Playback
import Testing

@Suite("Restarts of the sound server", .serialized, .soundLane, .needsSoundServer)
struct ServerFaultTests {
    /// The buffer of the server: 250 ms in frames.
    private static let serverLatency = 11_025
    private let stage: PulseStage
    private let wanted: [UInt64]

    init() throws {
        stage = try PulseStage()
        wanted = Frames(bytes: try DemoEpisodes.samples(6)).all
    }

    private func start() async -> PlayerRun {
        let run = stage.start([.init(place: DemoEpisodes.path(6))])
        #expect(await run.wait { $0.position > .milliseconds(300) })
        return run
    }

    private func kill(under run: PlayerRun) async {
        stage.server.kill()
        #expect(await run.wait { $0.isWithoutOutput })
    }

    /// Returns the range of the recording in the expected samples; `nil` if it is not one contiguous range. Silence
    /// is ignored, because a server on a busy machine inserts some.
    private func stretch(_ recorded: Frames) -> Range<Int>? {
        let (heard, sounding) = (recorded.sounding, Frames(wanted).sounding)
        let places = wanted.indices.filter { !Frames([wanted[$0]]).sounding.isEmpty }
        guard let first = heard.first else { return nil }
        let starts = sounding.indices.lazy.filter { sounding[$0] == first && $0 + heard.count <= sounding.count }
        let start = starts.first { Array(sounding[$0..<$0 + heard.count]) == heard }
        return start.map { places[$0]..<places[$0 + heard.count - 1] + 1 }
    }

    private func frame(_ time: Duration) -> Int { Int(AudioFormat(sampleRate: 44_100, channels: 2).frames(in: time)) }

    @Test(
        "After each of five kills in one item, playback resumes at the reported sample")
    func fiveTimes() async throws {
        let run = await start()
        var (captures, told) = ([stage.capture], [Int]())
        for _ in 0..<5 {
            await kill(under: run)
            let position = run.position
            told.append(frame(position))
            captures.append(try stage.server.restart())
            #expect(await run.wait { $0.isPlaying(within: (position + .milliseconds(300)) ..< .seconds(60)) })
        }
        run.player.send(.pause)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await stage.isSilent(in: captures.last))
        let stretches = try captures.map { try #require(stretch(Frames(samples: $0.samples()))) }
        #expect(stretches.dropFirst().map(\.lowerBound) == told)
        // About 60 frames on an idle machine. A delayed recorder loses the samples that it has not read yet.
        let distances = zip(stretches, told).map { abs($0.upperBound - $1) }.sorted()
        let factor = TimeLimit.factor
        #expect(distances[2] < 2205 * factor && distances[4] < Self.serverLatency * factor, "\(distances)")
        #expect(run.events.count { $0 == .outputRestored } == 5 && run.stalls == 0)
        #expect(await run.stop())
    }

    @Test("A player paused during the outage stays paused, and resumes at the same sample")
    func paused() async throws {
        let run = await start()
        await kill(under: run)
        let position = run.position
        run.player.send(.pause)
        let capture = try stage.server.restart()
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await stage.isSilent(in: capture))
        #expect(Frames(samples: capture.samples()).sounding.isEmpty && run.position == position)
        run.player.send(.play)
        #expect(await run.wait { $0.position > position + .milliseconds(300) })
        #expect(await run.stop())
        let heard = capture.wait { $0.contains { $0 != 0 } }
        let place = try #require(stretch(Frames(samples: heard)))
        #expect(place.lowerBound == frame(position))
    }

    @Test("A seek during the outage is shown immediately, and playback resumes at the new position")
    func sought() async throws {
        let run = await start()
        await kill(under: run)
        run.player.send(.seek(.absolute(.time(.seconds(5)))))
        #expect(await run.wait { $0.position == .seconds(5) && $0.isWithoutOutput })
        let capture = try stage.server.restart()
        #expect(await run.wait { $0.position > .milliseconds(5300) })
        #expect(await run.stop())
        let heard = capture.wait { $0.contains { $0 != 0 } }
        #expect(stretch(Frames(samples: heard))?.lowerBound == frame(.seconds(5)))
    }

    @Test("A server that restarted but does not respond does not delay quitting")
    func quit() async throws {
        let run = await start()
        await kill(under: run)
        _ = try stage.server.restart()
        stage.server.signal(SIGSTOP)
        // A connection attempt is in progress by then.
        try await Task.sleep(for: .milliseconds(700))
        let start = ContinuousClock.now
        #expect(await run.stop())
        #expect(ContinuousClock.now - start < TimeLimit.shortRun)
    }

    @Test("Unplugging the device pauses playback, which resumes on another device only on request")
    func unplugged() async throws {
        let module = try stage.server.addSink("headphones")
        let run = await start()
        try stage.server.moveStreams(of: "Earshot", to: "headphones")
        let place = run.position
        #expect(await run.wait { $0.position > place + .milliseconds(200) })
        try stage.server.control("unload-module", module)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        let why = MediaFailure(.unavailable, "the sound device was unplugged")
        #expect(await run.wait { $0.events.contains(.pausedByItself(why)) })
        #expect(await stage.isSilent())
        let position = run.position
        run.player.send(.play)
        #expect(await run.wait { $0.position > position + .milliseconds(300) })
        #expect(await run.stop())
    }
}

extension PlayerRun {
    fileprivate var isWithoutOutput: Bool {
        if case .noDevice = player.status.activity { true } else { false }
    }
}
