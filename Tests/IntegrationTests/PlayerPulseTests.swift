// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging
import Media
import Playback
import Testing

@Suite(
    "The whole path to a sound server", .serialized, .soundLane,
    .enabled(if: ProgramRun.isInstalled("/usr/bin/pulseaudio") && ProgramRun.isInstalled("/usr/bin/parec")))
struct PlayerPulseTests {
    private let scratch: ScratchDirectory
    private let server: PulseServer
    private let capture: PulseCapture

    init() throws {
        scratch = try ScratchDirectory()
        server = try PulseServer()
        capture = try server.capture()
    }

    private func start(_ items: [PlayerRun.Item]) -> PlayerRun {
        let sink = PulseSink(
            server: server.address, sinkName: PulseServer.sinkName,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return PlayerRun(items, into: sink, keeping: scratch)
    }

    /// The frames of demo episodes in these times.
    private func reference(_ number: Int, _ time: Range<Double>) throws -> ArraySlice<UInt64> {
        func frame(_ time: Double) -> Int { Int((time * Double(DemoEpisodes.sampleRate)).rounded()) }
        let frames = Frames(bytes: try DemoEpisodes.samples(number)).all
        return frames[frame(time.lowerBound)..<min(frames.count, frame(time.upperBound))]
    }

    /// What was recorded, once there are `count` frames that are not silence.
    private func heard(_ count: Int) async -> Frames {
        var heard = Frames([])
        for _ in 0..<20 {
            heard = Frames(samples: capture.samples())
            if heard.sounding.count >= count { break }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return heard
    }

    @Test("one part goes over into the next: every sample in order, once, without a gap")
    func gapless() async throws {
        let run = start([
            .init(place: DemoEpisodes.path(1), from: .seconds(12)),
            .init(place: DemoEpisodes.path(2), until: .seconds(1)),
        ])
        let isOver = await run.playOut()
        let wanted = Array(try reference(1, 12..<20) + reference(2, 0..<1))
        let heard = await heard(Frames(wanted).sounding.count)
        #expect(isOver && run.failures == [] && run.stalls == 0)
        #expect(firstDifference(heard.withoutEnds, Frames(wanted).withoutEnds) == nil)
    }

    @Test("26 ms are heard whole", arguments: [0.026, 0.001])
    func short(length: Double) async throws {
        let run = start([.init(place: DemoEpisodes.path(2), from: .seconds(5), until: .seconds(5 + length))])
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(2, 5..<(5 + length)))).sounding
        let heard = await heard(wanted.count)
        #expect(isOver && run.failures == [] && wanted.count > 40)
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("a file of two MPEG frames, then another: all of both")
    func shortFiles() async throws {
        let whole = DemoEpisodes.bytes(2)
        // The frames behind the one that holds the tag: constant 128 kbit/s, 417 or 418 bytes each.
        let cut = try scratch.write(whole.prefix(417 * 24), to: "short.mp3")
        let decoded = try ProgramRun.run(["mpg123", "-q", "-e", "f32", "-s", cut]).output
        let wanted = Frames(bytes: decoded + decoded).sounding
        let run = start([.init(place: cut), .init(place: cut)])
        let isOver = await run.playOut()
        let heard = await heard(wanted.count)
        #expect(isOver && run.failures == [])
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("a pause costs silence and no sample")
    func pause() async throws {
        let run = start([.init(place: DemoEpisodes.path(3), from: .seconds(4), until: .milliseconds(5500))])
        #expect(await run.wait { $0.player.status.position ?? .zero > .milliseconds(4500) })
        run.player.pause()
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        try await Task.sleep(for: .milliseconds(400))
        run.player.play()
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(3, 4..<5.5))).sounding
        let heard = await heard(wanted.count)
        #expect(isOver && run.failures == [])
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("a stall costs silence and no sample, and it goes on by itself")
    func stall() async throws {
        let demo = try DemoEpisodes.server { $1 = $1.stalled(after: 16_000, for: .milliseconds(2800)) }
        let run = start([.init(place: demo.url("/part5.mp3"), until: .milliseconds(3500))])
        let isOver = await run.playOut()
        let wanted = Frames(Array(try reference(5, 0..<3.5))).sounding
        let heard = await heard(wanted.count)
        #expect(isOver && run.failures == [] && run.stalls == 1)
        #expect(firstDifference(heard.sounding, wanted) == nil)
    }

    @Test("a server that dies is told within two seconds")
    func killed() async throws {
        let run = start([.init(place: DemoEpisodes.path(6))])
        #expect(await run.wait { $0.player.status.position ?? .zero > .milliseconds(200) })
        let start = ContinuousClock.now
        server.kill()
        #expect(await run.wait(atMost: .seconds(3)) { !$0.failures.isEmpty })
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(run.failures.map(\.kind) == [.unavailable])
        #expect(await run.stop())
    }
}

/// Stereo frames, each as the bits of its two samples.
struct Frames {
    let all: [UInt64]

    init(_ all: [UInt64]) { self.all = all }

    init(samples: [Float]) {
        all = stride(from: 0, to: samples.count - 1, by: 2).map { index in
            UInt64(samples[index].bitPattern) << 32 | UInt64(samples[index + 1].bitPattern)
        }
    }

    /// Little-endian.
    init(bytes: [UInt8]) {
        all = stride(from: 0, to: bytes.count - 7, by: 8).map { index in
            func sample(_ start: Int) -> UInt64 {
                UInt64(bytes[start]) | UInt64(bytes[start + 1]) << 8 | UInt64(bytes[start + 2]) << 16
                    | UInt64(bytes[start + 3]) << 24
            }
            return sample(index) << 32 | sample(index + 4)
        }
    }

    /// Without those that are silence, be the zeros positive or negative.
    var sounding: [UInt64] { all.filter(Self.sounds) }

    /// Without the silence before the first sound and behind the last.
    var withoutEnds: [UInt64] {
        guard let first = all.firstIndex(where: Self.sounds), let last = all.lastIndex(where: Self.sounds) else {
            return []
        }
        return Array(all[first...last])
    }

    private static func sounds(_ frame: UInt64) -> Bool { frame & 0x7FFF_FFFF_7FFF_FFFF != 0 }
}
