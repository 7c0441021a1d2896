// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("AACConfig")
struct AACConfigTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let core: Int
        let channels: Int
        let sbr: AACConfig.SpectralBandReplication
        let ps: AACConfig.ParametricStereo
        /// Rate and channels of the decoded PCM, and the frames of a packet.
        let decoded: [Int]

        var testDescription: String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }

        init(
            _ bytes: [UInt8], _ core: Int, _ channels: Int, _ sbr: AACConfig.SpectralBandReplication = .unknown,
            _ ps: AACConfig.ParametricStereo = .unknown, to decoded: [Int]
        ) {
            self.bytes = bytes
            self.core = core
            self.channels = channels
            self.sbr = sbr
            self.ps = ps
            self.decoded = decoded
        }
    }

    @Test(
        "The stream's rates, channels and extensions follow from the AudioSpecificConfig",
        arguments: [
            // AAC-LC as written by FFmpeg, and with the extension that excludes SBR.
            Row([0x12, 0x10], 44100, 2, to: [44100, 2, 1024]),
            Row([0x11, 0x90], 48000, 2, to: [48000, 2, 1024]),
            Row([0x12, 0x08, 0x56, 0xE5, 0x00], 44100, 1, .absent, to: [44100, 1, 1024]),
            Row([0x11, 0xB0], 48000, 6, to: [48000, 6, 1024]),
            Row([0x13, 0x88], 22050, 1, to: [22050, 1, 1024]),
            Row([0x12, 0x10, 0x56, 0xE5, 0x00], 44100, 2, .absent, to: [44100, 2, 1024]),
            // A rate in full, and channels from a program config element.
            Row(
                ConfigFields.bits([(2, 5), (15, 4), (44100, 24), (2, 4), (0, 3)]), 44100, 2, to: [44100, 2, 1024]),
            Row(
                ConfigFields.bits([(2, 5), (3, 4), (0, 4), (0, 3)] + ConfigFields.surround + [(0, 6), (0, 8)]), 48000,
                6, to: [48000, 6, 1024]),
            // HE-AAC, hierarchical and backward compatible.
            Row([0x2B, 0x92, 0x08, 0x00], 22050, 2, .present(sampleRate: 44100), to: [44100, 2, 2048]),
            Row([0x13, 0x10, 0x56, 0xE5, 0x98], 24000, 2, .present(sampleRate: 48000), to: [48000, 2, 2048]),
            // HE-AAC version 2, hierarchical and backward compatible; then a mono stream that excludes it.
            Row([0xEB, 0x8A, 0x08, 0x00], 22050, 1, .present(sampleRate: 44100), .present, to: [44100, 2, 2048]),
            Row(
                [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], 22050, 1, .present(sampleRate: 44100), .present,
                to: [44100, 2, 2048]),
            Row(
                [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x00], 22050, 1, .present(sampleRate: 44100), .absent,
                to: [44100, 1, 2048]),
            // Mono with SBR may contain parametric stereo; downsampled SBR keeps the rate.
            Row([0x2B, 0x8A, 0x08, 0x00], 22050, 1, .present(sampleRate: 44100), to: [44100, 2, 2048]),
            Row([0x2A, 0x12, 0x08, 0x00], 44100, 2, .present(sampleRate: 44100), to: [44100, 2, 1024]),
            // A rate that has no index: 44,056 Hz.
            Row([0x17, 0x80, 0x56, 0x0C, 0x10], 44056, 2, to: [44056, 2, 1024]),
        ])
    func values(row: Row) throws {
        let config = try AACConfig(audioSpecificConfig: row.bytes)

        #expect(config.coreSampleRate == row.core)
        #expect(config.coded.channels == row.channels)
        #expect(config.sbr == row.sbr)
        #expect(config.ps == row.ps)
        #expect([config.format.sampleRate, config.format.channels, config.packetFrames] == row.decoded)
    }

    @Test(
        "Other streams are rejected by name",
        arguments: [
            ([0x0A, 0x10], "this is AAC Main, which Earshot cannot play"),
            ([0x22, 0x10], "this is AAC LTP, which Earshot cannot play"),
            ([0xBA, 0x10], "this is AAC-LD, which Earshot cannot play"),
            ([0xF8, 0xE8, 0x50, 0x00], "this is AAC-ELD, which Earshot cannot play"),
            ([0xF9, 0x48, 0x40], "this is xHE-AAC, which Earshot cannot play"),
            ([0xF8, 0x48, 0x20], "this is MPEG audio in an AAC track, which Earshot cannot play"),
            ([0x12, 0x14], "AAC with 960 frames per packet is not supported"),
            ([0x16, 0x90], "AAC with a sample rate of 0 Hz is not supported"),
            ([0x12, 0x60], "AAC with channel configuration 12 is not supported"),
            ([0x2A, 0x11, 0x88, 0x00], "AAC with SBR from 44100 to 48000 Hz is not supported"),
            ([], "this is MPEG-4 audio object type 0, which Earshot cannot play"),
        ] as [([UInt8], String)])
    func rejected(bytes: [UInt8], reason: String) {
        let error = CodecHeaderError.unsupported(MediaFailure(.badData, reason))
        #expect(throws: error) { try AACConfig(audioSpecificConfig: bytes) }
    }

    @Test("A truncated configuration is damaged")
    func truncated() {
        let error = CodecHeaderError.damaged(MediaFailure(.badData, "the AAC configuration is truncated"))
        #expect(throws: error) { try AACConfig(audioSpecificConfig: [0x12]) }
    }

    @Test("An ADTS header has the same configuration, with SBR unknown")
    func adts() throws {
        let config = try AACConfig(profile: 1, sampleRateIndex: 4, channelConfiguration: 2)
        #expect(try config == AACConfig(audioSpecificConfig: [0x12, 0x10]))
        for fields in [(0, 4, 2), (1, 13, 2), (1, 4, 0)] {
            #expect(throws: CodecHeaderError.self) {
                try AACConfig(profile: fields.0, sampleRateIndex: fields.1, channelConfiguration: fields.2)
            }
        }
    }

    @Test("A stream of ADTS may list its channels in the first packet")
    func adtsProgramConfig() throws {
        let packet = ConfigFields.bits([(5, 3)] + ConfigFields.surround + [(0, 3), (0, 8)])
        let config = try AACConfig(
            profile: 1, sampleRateIndex: 4, channelConfiguration: 0, firstPacket: packet[...])
        #expect(config.format == AudioFormat(sampleRate: 44100, channels: 6, layout: .surround51))
        #expect(throws: CodecHeaderError.self) {
            try AACConfig(profile: 1, sampleRateIndex: 4, channelConfiguration: 0, firstPacket: packet[..<7])
        }
    }

    @Test("The pre-roll is a packet, or 32 packets with SBR")
    func preRoll() throws {
        #expect(try AACConfig(audioSpecificConfig: [0x12, 0x10]).preRoll == 1024)
        #expect(try AACConfig(audioSpecificConfig: [0x2B, 0x92, 0x08, 0x00]).preRoll == 65536)
        #expect(try AACConfig(audioSpecificConfig: [0x29, 0x91, 0x88, 0x00]).preRoll == 32768)
    }

    @Test("A configuration found in the packets replaces only one that leaves SBR open, of the same stream")
    func assuming() throws {
        let open = try AACConfig(audioSpecificConfig: [0x13, 0x88])
        #expect(open.assuming(nil) == open)
        let found = open.withImplicitSBR
        #expect(open.assuming(found) == found)
        #expect(found.packetFrames == 2048)
        // Mono may contain parametric stereo.
        #expect(found.format == AudioFormat(sampleRate: 44100, channels: 2))
        let closed = try AACConfig(audioSpecificConfig: [0x13, 0x88, 0x56, 0xE5, 0x00])
        #expect(closed.assuming(found) == closed)
        let stereo = try AACConfig(audioSpecificConfig: [0x13, 0x90])
        #expect(stereo.assuming(found) == stereo)
    }

    @Test("Four channels are three in front and one at the back, not two and two")
    func layout() throws {
        let config = try AACConfig(audioSpecificConfig: ConfigFields.bits([(2, 5), (4, 4), (4, 4), (0, 3)]))
        #expect(config.format.layout == [.frontLeft, .frontRight, .frontCenter, .backCenter])
    }

    @Test("A program configuration defines the channels")
    func programConfig() throws {
        // As FFmpeg writes them: quadraphonic sound (two pairs), and 6.1; a comment and the SBR extension follow.
        let rest: [UInt8] = [13] + Array("Lavc59.37.100".utf8) + [0x56, 0xE5, 0x00]
        let quad = try AACConfig(audioSpecificConfig: [0x11, 0x80, 0x04, 0xC4, 0x04, 0x00, 0x21, 0x10] + rest)
        #expect(quad.format.layout == .quadraphonic)
        #expect(quad.sbr == .absent)
        let surround = try AACConfig(
            audioSpecificConfig: [0x11, 0x80, 0x04, 0xC8, 0x48, 0x00, 0x20, 0x00, 0xC4, 0x40] + rest)
        #expect(surround.coded.channels == 7)
        #expect(surround.sbr == .absent)
    }

    @Test("Truncated and random configurations are rejected or valid")
    func damage() {
        var random = SeededGenerator(seed: 5)
        for length in 0..<12 {
            for _ in 0..<500 {
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                guard let config = try? AACConfig(audioSpecificConfig: bytes) else { continue }
                #expect(7350...96000 ~= config.coreSampleRate)
                #expect(1...8 ~= config.coded.channels)
                #expect([1024, 2048].contains(config.packetFrames))
            }
        }
    }
}
