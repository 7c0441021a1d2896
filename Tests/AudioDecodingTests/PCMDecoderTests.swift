// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media
import Testing

@testable import CodecTestSupport

@Suite("PCMDecoder")
struct PCMDecoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let encoding: PCMEncoding
        let bytes: [UInt8]
        let samples: [Float]

        var testDescription: String { "\(encoding)" }

        init(_ sample: PCMEncoding.Sample, _ order: ByteOrder, _ bytes: [UInt8], _ samples: [Float]) {
            encoding = PCMEncoding(sample, order)
            self.bytes = bytes
            self.samples = samples
        }
    }

    @Test(
        "Samples of every encoding are fractions of full scale",
        arguments: [
            Row(.unsigned8, .littleEndian, [0, 128, 255], [-1, 0, 127 / 128]),
            Row(.int8, .littleEndian, [0x80, 0, 0x7F], [-1, 0, 127 / 128]),
            Row(.int16, .littleEndian, [0, 0x80, 1, 0, 0xFF, 0x7F], [-1, 0x1p-15, 32767 / 32768]),
            Row(.int16, .bigEndian, [0x80, 0, 0, 1, 0x7F, 0xFF], [-1, 0x1p-15, 32767 / 32768]),
            Row(.int24, .littleEndian, [0, 0, 0x80, 1, 0, 0, 0xFF, 0xFF, 0xFF], [-1, 0x1p-23, -0x1p-23]),
            Row(.int24, .bigEndian, [0x80, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF], [-1, 0x1p-23, -0x1p-23]),
            Row(.int32, .littleEndian, [0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0x40], [-1, 0x1p-31, 0.5]),
            Row(.int32, .bigEndian, [0x80, 0, 0, 0, 0, 0, 0, 1, 0x40, 0, 0, 0], [-1, 0x1p-31, 0.5]),
            Row(.float32, .littleEndian, [0, 0, 0, 0x3F, 0, 0, 0x80, 0xBF, 0, 0, 0xC0, 0x7F], [0.5, -1, 0]),
            Row(.float32, .bigEndian, [0x3F, 0, 0, 0, 0xBF, 0x80, 0, 0, 0x7F, 0x80, 0, 0], [0.5, -1, 0]),
            Row(.float64, .littleEndian, [0, 0, 0, 0, 0, 0, 0xE0, 0x3F, 0, 0, 0, 0, 0, 0, 0xF0, 0xBF], [0.5, -1]),
            Row(.aLaw, .littleEndian, [0xD5, 0x55, 0xAA, 0x2A], [8, -8, 32256, -32256].map { $0 / 32768 }),
            Row(.muLaw, .littleEndian, [0xFF, 0x7F, 0x80, 0x00], [0, 0, 32124, -32124].map { $0 / 32768 }),
        ])
    func values(row: Row) throws {
        let decoder = try PCMDecoder(encoding: row.encoding, format: AudioFormat(sampleRate: 8000, channels: 1))

        let decoded = try decoder.decode([CodecPacket(bytes: row.bytes, frames: row.samples.count)])

        #expect(decoded == row.samples)
    }

    @Test("Companded samples rise with their codes, and every code has its negative")
    func companding() throws {
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        for (sample, mask) in [(PCMEncoding.Sample.aLaw, UInt8(0x55)), (.muLaw, 0xFF)] {
            let decoder = try PCMDecoder(encoding: PCMEncoding(sample), format: format)
            let codes = (UInt8(0)...127).map { $0 ^ (mask & 0x7F) }
            // Of A-law the sign bit means positive, of µ-law the inverted one negative.
            let positive = try decoder.decode([CodecPacket(bytes: codes.map { $0 | 0x80 }, frames: 128)])
            let negative = try decoder.decode([CodecPacket(bytes: codes, frames: 128)])
            #expect(zip(positive, positive.dropFirst()).allSatisfy { $0 < $1 })
            #expect(negative == positive.map { -$0 })
        }
    }

    @Test("A packet that is cut is padded with silence, and an incomplete frame is dropped")
    func cut() throws {
        let decoder = try PCMDecoder(
            encoding: PCMEncoding(.int16), format: AudioFormat(sampleRate: 44100, channels: 2))

        let decoded = try decoder.decode([CodecPacket(bytes: [0, 0x40, 0, 0xC0, 0, 0x20, 0], frames: 3)])

        #expect(decoded == [0.5, -0.5, 0, 0, 0, 0])
        #expect(throws: DecodingError.self) { try decoder.decode([CodecPacket(bytes: [], frames: 4097)]) }
    }

    @Test("The type of a WAV file follows from its format tag and its sample size")
    func waveFormats() {
        #expect(PCMEncoding(waveFormatTag: 1, bytesPerSample: 1) == PCMEncoding(.unsigned8))
        #expect(PCMEncoding(waveFormatTag: 1, bytesPerSample: 3) == PCMEncoding(.int24))
        #expect(PCMEncoding(waveFormatTag: 3, bytesPerSample: 8) == PCMEncoding(.float64))
        #expect(PCMEncoding(waveFormatTag: 7, bytesPerSample: 1) == PCMEncoding(.muLaw))
        #expect(PCMEncoding(waveFormatTag: 2, bytesPerSample: 1) == nil)
        #expect(PCMEncoding(waveFormatTag: 1, bytesPerSample: 0) == nil)
    }
}
