// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@Suite("The first packet of a file")
struct FirstPacketTests {
    private static let audio: [UInt8] = {
        var builder = MP3Builder()
        builder.addFrames(40)
        return builder.bytes
    }()

    private func find(_ bytes: [UInt8]) -> (offset: Int64?, reason: String?) {
        switch PacketCursor.firstPacket(in: MemoryByteSource(bytes)) {
        case .packet(let packet): (packet.offset, nil)
        case .undecided: (nil, nil)
        case .none(let failure): (nil, failure.reason)
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
        #expect(find(junk(2_200_000) + Self.audio).reason == "no MP3 audio found; Earshot plays only MP3 so far")
        #expect(find([]).reason == "no MP3 audio found; Earshot plays only MP3 so far")
    }

    @Test("A file of another type is named",
        arguments: [
            ("OggS" + String(repeating: "\0", count: 24) + "OpusHead", "Opus in Ogg"), ("fLaC", "FLAC"),
            ("OggS" + String(repeating: "\0", count: 24) + "\u{1}vorbis", "Vorbis in Ogg"),
            ("\0\0\0 ftypM4A \0\0\0\0", "AAC in MP4"), ("\0\0\0 ftypisom\0\0\0\0moovmp4a", "AAC in MP4"),
            ("\0\0\0 ftypisom\0\0\0\0moovmp4aavc1", "video in MP4"), ("RIFF0000WAVEfmt 0000\u{1}\0", "WAV"),
            ("FORM0000AIFF", "AIFF"), ("caff", "CAF"),
        ])
    func foreign(head: String, name: String) {
        let bytes = Array(head.utf8) + [UInt8](repeating: 0, count: 1000)
        let reason = "this is \(name); Earshot plays only MP3 so far"
        #expect(find(bytes).reason == reason)
        #expect(find(tag(size: [0, 0, 0, 10]) + [UInt8](repeating: 0, count: 10) + bytes).reason == reason)
    }

    @Test("ADTS is named, and a WAV file with MPEG audio is searched")
    func framed() {
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 0, count: 9)
        let adts = (0..<20).flatMap { _ in frame }
        #expect(find(adts).reason == "this is AAC; Earshot plays only MP3 so far")
        let wave = Array("RIFF0000WAVEfmt 0000".utf8) + [0x55, 0] + [UInt8](repeating: 0, count: 40)
        #expect(find(wave + Self.audio).offset == Int64(wave.count))
    }
}
