// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("MPEG frame header")
struct MPEGFrameHeaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let word: UInt32
        let rate: Int
        let kilobits: Int
        let length: Int
        let samples: Int
        let sideInfo: Int
        var testDescription: String { String(word, radix: 16) }
    }

    /// Computed by hand from ISO 11172-3 §2.4.2.3 and 2.4.3.1.
    static let rows = [
        Row(word: 0xFFFB_9064, rate: 44100, kilobits: 128, length: 417, samples: 1152, sideInfo: 32),
        Row(word: 0xFFFB_9264, rate: 44100, kilobits: 128, length: 418, samples: 1152, sideInfo: 32),
        Row(word: 0xFFFB_E8C4, rate: 32000, kilobits: 320, length: 1440, samples: 1152, sideInfo: 17),
        Row(word: 0xFFF3_40C4, rate: 22050, kilobits: 32, length: 104, samples: 576, sideInfo: 9),
        Row(word: 0xFFE3_1804, rate: 8000, kilobits: 8, length: 72, samples: 576, sideInfo: 17),
        Row(word: 0xFFFD_E804, rate: 32000, kilobits: 384, length: 1728, samples: 1152, sideInfo: 0),
        Row(word: 0xFFFF_E404, rate: 48000, kilobits: 448, length: 448, samples: 384, sideInfo: 0),
        Row(word: 0xFFFF_1204, rate: 44100, kilobits: 32, length: 36, samples: 384, sideInfo: 0),
    ]

    @Test("A header yields rate, length, PCM frames and side information", arguments: rows)
    func reads(row: Row) throws {
        let header = try #require(MPEGFrameHeader(row.word))
        #expect(header.sampleRate == row.rate)
        #expect(header.bitrate == row.kilobits * 1000)
        #expect(header.length == row.length)
        #expect(header.samplesPerFrame == row.samples)
        #expect(header.sideInfoLength == row.sideInfo)
    }

    @Test("The header agrees with the builder for every version, layer, bit rate, sample rate and padding")
    func everyCombination() throws {
        for version in MP3Builder.Format.Version.allCases {
            let rates = version == .mpeg1 ? [32000, 44100, 48000]
                : version == .mpeg2 ? [16000, 22050, 24000] : [8000, 11025, 12000]
            for layer in 1...3 {
                for rate in rates {
                    for kilobits in MP3Builder.Format.rates(version, layer) {
                        try compare(.init(version, layer: layer, sampleRate: rate, kilobits: kilobits))
                    }
                }
            }
        }
    }

    private func compare(_ format: MP3Builder.Format) throws {
        for padded in [false, true] {
            let frame = format.frame(kilobits: format.kilobits, padded: padded)
            let header = try #require(MPEGFrameHeader(Self.word(frame)))
            #expect(header.length == frame.count, "\(format)")
            #expect(header.bitrate == format.kilobits * 1000)
            #expect(header.sampleRate == format.sampleRate)
            #expect(header.isPadded == padded)
            #expect(header.samplesPerFrame == format.samplesPerFrame)
        }
    }

    @Test(
        "Reserved values are refused",
        arguments: [
            0x7FFB_9064, 0xFFDB_9064, 0xFFEB_9064, 0xFFF9_9064, 0xFFFB_F064, 0xFFFB_9C64, 0xFFFB_9066, 0x4944_3304, 0,
        ] as [UInt32])
    func refuses(word: UInt32) {
        #expect(MPEGFrameHeader(word) == nil)
    }

    @Test("Free format has no bit rate and no length")
    func freeFormat() throws {
        let header = try #require(MPEGFrameHeader(0xFFFB_0064))
        #expect(header.bitrate == nil)
        #expect(header.length == nil)
    }

    @Test("Channel modes and check words are read, and headers match only within one stream")
    func modes() throws {
        let modes = try [0x00, 0x40, 0x80, 0xC0].map { try #require(MPEGFrameHeader(0xFFFA_9000 | $0)) }
        #expect(modes.map(\.channelMode) == [.stereo, .jointStereo, .dual, .mono])
        #expect(modes.map(\.channels) == [2, 2, 2, 1])
        #expect(modes.map(\.hasCRC) == [true, true, true, true])
        #expect(modes[0].matches(modes[1]))
        #expect(!modes[0].matches(modes[3]))
        let others = try [0xFFFB_5000, 0xFFFB_9400, 0xFFF3_9000, 0xFFFD_9000].map { try #require(MPEGFrameHeader($0)) }
        #expect(others.map(modes[0].matches) == [true, false, false, false])
    }

    private static func word(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
