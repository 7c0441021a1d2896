// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import Testing

@testable import CodecTestSupport

@Suite("Codec headers")
struct CodecHeaderTests {
    static let opus: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0x00, 0xFE, 0]

    @Test("An Opus header states channels, pre-skip and gain")
    func opusHead() throws {
        let head = try OpusHead(Self.opus)

        #expect(head.channels == 2)
        #expect(head.preSkip == 312)
        #expect(head.outputGain == -512)
        #expect([head.streams, head.coupledStreams] == [1, 1])
        #expect(head.mapping == [0, 1])
        #expect(head.format == AudioFormat(sampleRate: 48000, channels: 2))
    }

    @Test("An Opus header of family 1 has a table, one of family 255 no loudspeakers")
    func opusFamilies() throws {
        let surround = Self.opus.replacing(9, 6).replacing(18, 1) + [4, 2, 0, 4, 1, 2, 3, 5]
        #expect(try OpusHead(surround).format.layout == .surround51)
        #expect(try OpusHead(surround).order.sources == [0, 2, 1, 5, 3, 4])
        let discrete = Self.opus.replacing(18, 255) + [2, 0, 0, 1]
        #expect(try OpusHead(discrete).format.layout == [])
    }

    @Test(
        "Impossible Opus headers are rejected",
        arguments: [
            Array(opus.prefix(18)), opus.replacing(0, 0x6F), opus.replacing(8, 0x10), opus.replacing(9, 0),
            opus.replacing(9, 3), opus.replacing(18, 1), opus.replacing(18, 2) + [2, 0, 0, 1],
            opus.replacing(18, 1) + [0, 0, 0, 1], opus.replacing(18, 1) + [1, 2, 0, 1],
            opus.replacing(18, 1) + [1, 1, 0, 2],
        ])
    func badOpus(bytes: [UInt8]) {
        #expect(throws: CodecHeaderError.self) { try OpusHead(bytes) }
    }

    static let vorbis: [UInt8] =
        [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xAC, 0, 0]
        + Array(repeating: 0, count: 12) + [0xB8, 1]

    @Test("A Vorbis header states channels, rate and block sizes")
    func vorbisIdentification() throws {
        let head = try VorbisIdentification(Self.vorbis)

        #expect(head.format == AudioFormat(sampleRate: 44100, channels: 2))
        #expect([head.shortBlock, head.longBlock] == [256, 2048])
        #expect(head.maximumPacketFrames == 1024)
    }

    @Test(
        "Impossible Vorbis headers are rejected",
        arguments: [
            Array(vorbis.prefix(29)), vorbis.replacing(0, 3), vorbis.replacing(7, 1), vorbis.replacing(11, 0),
            vorbis.replacing(11, 9), vorbis.replacing(12, 0).replacing(13, 0), vorbis.replacing(28, 0x8B),
            vorbis.replacing(28, 0xE8), vorbis.replacing(28, 0xB5), vorbis.replacing(29, 0),
        ])
    func badVorbis(bytes: [UInt8]) {
        #expect(throws: CodecHeaderError.self) { try VorbisIdentification(bytes) }
    }

    static let flac: [UInt8] =
        [
            0x04, 0x80, 0x12, 0x00, 0, 0, 14, 0, 0x20, 0, 0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0x11, 0x3A,
        ] + Array(repeating: 0, count: 16)

    @Test("A FLAC header states block sizes, rate, channels, bits and length")
    func flacStreamInfo() throws {
        let info = try FLACStreamInfo(Self.flac)

        #expect(info.blockSizes == 1152...4608)
        #expect(info.maximumPacketBytes == 0x2000)
        #expect(info.format == AudioFormat(sampleRate: 44100, channels: 2))
        #expect(info.bitsPerSample == 16)
        #expect(info.frames == 4410)
    }

    @Test(
        "Impossible FLAC headers are rejected",
        arguments: [
            Array(flac.prefix(33)), flac + [0], flac.replacing(0, 0).replacing(1, 15), flac.replacing(0, 0x20),
            flac.replacing(10, 0).replacing(11, 0).replacing(12, 2), flac.replacing(12, 0x40).replacing(13, 0x20),
        ])
    func badFLAC(bytes: [UInt8]) {
        #expect(throws: CodecHeaderError.self) { try FLACStreamInfo(bytes) }
    }

    @Test("A rate below 1000 Hz is refused by name")
    func lowRates() throws {
        let vorbis = Self.vorbis.replacing(12, 0xE7).replacing(13, 3)
        let vorbisFailure = MediaFailure(.badData, "Vorbis with a sample rate of 999 Hz is not supported")
        #expect(throws: CodecHeaderError.unsupported(vorbisFailure)) { try VorbisIdentification(vorbis) }
        #expect(try VorbisIdentification(vorbis.replacing(12, 0xE8)).sampleRate == 1000)
        let flac = Self.flac.replacing(10, 0).replacing(11, 0).replacing(12, 0x12)
        let flacFailure = MediaFailure(.badData, "FLAC with a sample rate of 1 Hz is not supported")
        #expect(throws: CodecHeaderError.unsupported(flacFailure)) { try FLACStreamInfo(flac) }
    }

    @Test("A truncated header is damaged, and that of audio that cannot be played is not")
    func damage() {
        func damaged(_ codec: String) -> CodecHeaderError {
            .damaged(MediaFailure(.badData, "the \(codec) header is damaged"))
        }
        #expect(throws: damaged("Opus")) { try OpusHead(Self.opus.prefix(18)) }
        #expect(throws: damaged("Vorbis")) { try VorbisIdentification(Self.vorbis.prefix(29)) }
        #expect(throws: damaged("FLAC")) { try FLACStreamInfo(Self.flac.prefix(33)) }
        let failure = MediaFailure(.badData, "Opus with 0 channels is not supported")
        #expect(throws: CodecHeaderError.unsupported(failure)) { try OpusHead(Self.opus.replacing(9, 0)) }
    }

    @Test("FLAC's channels are in the order of their layout", arguments: 1...8)
    func flacOrder(channels: Int) {
        #expect(SpeakerOrder.flac(channels: channels).isStandard)
        #expect(SpeakerOrder.flac(channels: channels).layout.rawValue.nonzeroBitCount == channels)
    }
}

extension [UInt8] {
    fileprivate func replacing(_ index: Int, _ byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
