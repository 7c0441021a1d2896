// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Player seeks land exactly")
struct LandingTests {
    struct Encoding: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sound: TestSound
        let options: [String]
    }

    @Test(
        "C24 a hundred seeks each play the samples of a linear decode, bit for bit from the first sample on",
        arguments: [
            Encoding(testDescription: "320 kbit/s", sound: TestSound(frames: 100_000), options: ["-b", "320"]),
            Encoding(
                testDescription: "64 kbit/s joint stereo", sound: TestSound(frames: 100_000),
                options: ["-m", "j", "-b", "64"]),
        ])
    func hundredSeeks(encoding: Encoding) async throws {
        try await expectExactLandings(encoding)
    }

    @Test(
        "C24 a hundred seeks at low sample rates each play the samples of a linear decode, bit for bit",
        arguments: [
            Encoding(
                testDescription: "24 kHz, 8 kbit/s mono",
                sound: TestSound(frames: 60_000, sampleRate: 24_000, channels: 1), options: ["-m", "m", "-b", "8"]),
            Encoding(
                testDescription: "22.05 kHz, 64 kbit/s stereo", sound: TestSound(frames: 60_000, sampleRate: 22_050),
                options: ["-b", "64"]),
        ])
    func hundredSeeksAtLowRates(encoding: Encoding) async throws {
        try await expectExactLandings(encoding)
    }

    @Test(
        "An output that plays in real time is asked soon whether a seek has landed, also without a device",
        arguments: [(true, true, true), (true, false, true), (false, false, false)])
    func announcement(isPaced: Bool, hasDevice: Bool, isAsked: Bool) {
        let stage = LoopStage(isPaced: isPaced, hasDevice: hasDevice)
        stage.append(.longCBR)
        stage.say(.closePlaylist)
        stage.play(1000)
        #expect(stage.loop.timeToBoundary == nil)
        stage.say(.seek(Fixture.longCBR.target(300_000)))
        #expect(stage.loop.seeks.pending != nil)
        #expect(stage.loop.timeToBoundary == (isAsked ? .milliseconds(10) : nil))
        stage.play(1000)
        #expect(stage.loop.seeks.pending == nil && stage.loop.timeToBoundary == nil)
    }

    private func expectExactLandings(_ encoding: Encoding) async throws {
        let file = try encoding.sound.encoded(endingAt: [encoding.sound.frames], [encoding.options])[0]
        let fixture = Fixture(encoding.testDescription, file)
        let stage = Stage(sink: CapturingSink(allowance: 0))
        stage.append(MemoryByteSource(file))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.sink.calls.last == .uncork })
        var random = SeededGenerator(seed: 24)
        for number in 0..<100 {
            let frame = Int64.random(in: 0..<fixture.frames - 1500, using: &random)
            let (calls, before) = (stage.sink.calls.count, stage.sink.samples.count)
            stage.player.send(.seek(.absolute(.time(fixture.format.duration(ofFrames: frame)))))
            try #require(
                await eventually { stage.sink.calls.dropFirst(calls) == [.cork, .flush, .uncork] },
                "\(stage.sink.calls.dropFirst(calls)), \(number) from \(frame)")
            stage.sink.allow(1500)
            try #require(await eventually { stage.sink.samples.count == before + 1500 * fixture.format.channels })
            let heard = Array(stage.sink.samples.dropFirst(before))
            #expect(identical(heard, fixture.samples(from: frame, to: frame + 1500)), "from \(frame)")
        }
        #expect(await stage.stop())
    }
}
