// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import TrackReading

@Suite("The first packet of a file")
struct FirstPacketTests {
    private static let audio: [UInt8] = {
        var builder = MP3Builder()
        builder.addFrames(40)
        return builder.bytes
    }()

    private func find(_ bytes: [UInt8]) -> (offset: Int64?, reason: String?) {
        let source = MemoryByteSource(bytes)
        var search = TrackFormatSearch()
        var step = TrackFormatSearch.Step.progressed
        while step == .progressed { step = search.step(source) }
        if case .failed(let failure) = step { return (nil, failure.reason) }
        let reader = MPEGTrackReader(source)
        while true {
            if let offset = reader.timeline?.audioStart { return (offset, nil) }
            guard case .failed(let failure) = reader.step() else { continue }
            return (nil, failure.reason)
        }
    }

    /// Returns bytes like a picture's, without 0xFF.
    private func junk(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: 0..<255, using: &random) }
    }

    private func tag(size: [UInt8]) -> [UInt8] { Array("ID3".utf8) + [3, 0, 0] + size }

    @Test("The first packet is found after up to 2 MiB of other data", arguments: [100_000, 150_000, 1_900_000])
    func behindJunk(count: Int) {
        #expect(find(junk(count) + Self.audio).offset == Int64(count))
    }

    @Test("The first packet is found after a picture whose tag has too small a size or a size in plain numbers")
    func shortTag() {
        let picture = junk(300_000)
        #expect(find(tag(size: [0, 0, 1, 0]) + picture + Self.audio).offset == 300_010)
        #expect(find(tag(size: [0, 4, 0x93, 0xE0]) + picture + Self.audio).offset == 300_010)
    }

    @Test("The first packet is found within a tag that declares more bytes than the file has")
    func longTag() {
        #expect(find(tag(size: [0x7F, 0x7F, 0x7F, 0x7F]) + junk(5000) + Self.audio).offset == 5010)
        #expect(find(tag(size: [0, 1, 0, 0]) + Self.audio).offset == 10)
    }

    @Test("The search for the first packet is limited")
    func endless() {
        #expect(find(junk(2_200_000) + Self.audio).reason == "no audio found")
        #expect(find([]).reason == "no audio found")
    }

    @Test("A file of a type that cannot be played is named",
        arguments: [
            ("caff", "CAF"), ("wvpk", "WavPack"), ("#!AMR", "AMR"), ("MAC ", "Monkey's Audio"),
        ])
    func unplayable(head: String, name: String) {
        let bytes = Array(head.utf8) + [UInt8](repeating: 0, count: 1000)
        let failure = MediaFailure(.badData, "this is \(name), which Earshot cannot play")
        #expect(TrackContent(of: MemoryByteSource(bytes)) == .unplayable(failure))
    }

    @Test("A WAV file with MPEG audio is searched")
    func wave() {
        let wave = Array("RIFF0000WAVEfmt \u{10}\0\0\0".utf8) + [0x55, 0] + [UInt8](repeating: 0, count: 40)
        #expect(find(wave + Self.audio).offset == Int64(wave.count))
    }

    @Test("The content of a file without audio is unknown, and that of the first bytes undecided")
    func unknown() {
        #expect(TrackContent(of: MemoryByteSource(Array("<html>".utf8))) == .unknown)
        #expect(TrackContent(of: MemoryByteSource(Self.audio, held: 4)) == .undecided)
        #expect(TrackContent(of: MemoryByteSource(Self.audio)) == .audio(AudioFormat(sampleRate: 44100, channels: 2)))
    }
}
