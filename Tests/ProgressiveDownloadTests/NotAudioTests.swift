// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("Content that is not audio")
struct NotAudioTests {
    private typealias Server = ScriptedTransport
    private static let refused = MediaFailure(.badData, "the server sent no audio")

    /// Returns random bytes that do not start with a known signature.
    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        return [0] + (1..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Returns frames of 417 bytes: MPEG-1 Layer III, 128 kbit/s, 44.1 kHz.
    private static func frames(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0x11, count: 413) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: [UInt8]
        var isAudio = false
    }

    static let cases = [
        Case(testDescription: "noise", body: noise(200_000)),
        Case(testDescription: "3000 bytes of noise", body: noise(3000)),
        Case(testDescription: "zeros", body: [UInt8](repeating: 0, count: 100_000)),
        Case(testDescription: "one byte", body: [7]),
        Case(testDescription: "frames after 2 MiB of noise", body: noise(2 << 20) + frames(100)),
        Case(testDescription: "frames after 64 KiB of noise", body: noise(70_000) + frames(100), isAudio: true),
        Case(testDescription: "frames after 4 KiB of noise", body: noise(4096) + frames(20), isAudio: true),
        Case(testDescription: "frames after 60 KiB of noise", body: noise(61_000) + frames(100), isAudio: true),
        Case(testDescription: "one frame after a zero byte", body: [0] + frames(1), isAudio: true),
        Case(testDescription: "two frames, the second truncated", body: [0] + frames(2).dropLast(200), isAudio: true),
        Case(testDescription: "half a frame", body: [0] + frames(1).dropLast(200)),
        Case(testDescription: "frames from the first byte on", body: frames(3), isAudio: true),
    ]

    @Test("Only audio is kept, in pieces of any size, with or without a length", arguments: cases, [
        (16384, true), (1000, true), (16384, false),
    ])
    func kept(test: Case, delivery: (size: Int, hasLength: Bool)) async {
        let fixture = DownloadFixture(
            [Server.serve(test.body, length: delivery.hasLength, chunk: delivery.size)])
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == (test.isAudio ? .complete : .failed(Self.refused)))
        let kept = fixture.directory.fileNames.filter { !$0.hasSuffix(".json") && !$0.hasSuffix(".journal") }
        #expect(kept == (test.isAudio ? [delivery.hasLength ? "e.mp3" : "e.mp3.partial"] : []))
    }

    @Test("Noise received in two runs is detected at the end")
    func acrossRuns() async {
        let noise = Self.noise(60_000)
        let fixture = DownloadFixture([Server.serve(noise, cut: 30_000), Server.serve(noise)])
        #expect(await fixture.run().condition == .failed(Self.refused))
        #expect(fixture.directory.fileNames == [])
    }

    @Test("Noise in place of an earlier version deletes none of that version's bytes")
    func earlierStays() async {
        let content = episode(300_000)
        let noise = Server.serve(Self.noise(200_000), etag: "\"2\"", ranges: false)
        let first = DownloadFixture([Server.serve(content, cut: 200_000), noise])
        #expect(await first.run().condition == .failed(Self.refused))
        let second = DownloadFixture(in: first.directory, [Server.serve(content)])
        #expect(await second.run().condition == .complete)
        #expect(second.transport.requests.map(\.range) == [194_997])
        #expect(second.directory.fileNames == ["e.mp3"])
        let isEqual = second.directory.read("e.mp3") == content
        #expect(isEqual)
    }

    @Test("Stored audio stays readable if noise replaces it before it is read, and is refused")
    func unreadStays() async {
        let content = episode(300_000)
        let noise = Server.serve(Self.noise(200_000), etag: "\"2\"", ranges: false)
        let fixture = DownloadFixture([Server.serve(content, cut: 200_000), noise])
        fixture.start()
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.condition == .failed(Self.refused))
        #expect(downloadProgress.extents.ranges == [0..<200_000])
        let isEqual = ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == Array(content[..<200_000])
        #expect(isEqual)
        fixture.source.close()
    }

    @Test("A recording of AAC that begins inside a frame is audio if three frames follow")
    func recordingOfAAC() {
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC] + [UInt8](repeating: 0, count: 364)
        let rest = [UInt8](frame.dropFirst(100))
        #expect(FirstBytes.fault(in: rest + frame + frame + frame, isWhole: true) == nil)
        #expect(FirstBytes.fault(in: rest + frame + frame, isWhole: true) == Self.refused)
    }

    /// Each case has header bytes 2 and 3 and the frame length by the standard's formula, for every version and
    /// layer.
    @Test("The frame length follows from the header", arguments: [
        (0xFB, 0x90, 417), (0xFB, 0x92, 418), (0xFA, 0xE4, 960), (0xFD, 0x80, 417), (0xFF, 0x90, 312),
        (0xF3, 0x80, 208), (0xE3, 0x80, 417), (0xF5, 0x80, 417), (0xF7, 0x80, 278 / 4 * 4),
    ] as [(UInt8, UInt8, Int)])
    func lengths(second: UInt8, third: UInt8, length: Int) {
        let frame = [0xFF, second, third, 0] + [UInt8](repeating: 0, count: length - 4)
        #expect(MPEGSyncProbe.isFound(in: [1, 2] + frame + frame + frame, isWhole: false))
        #expect(!MPEGSyncProbe.isFound(in: [1, 2] + frame + frame, isWhole: false))
        #expect(!MPEGSyncProbe.isFound(in: frame + [0] + frame + [0] + frame, isWhole: false))
    }
}
