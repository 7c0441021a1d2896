// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// A generated sbr_extension_data for a core rate of 24 kHz: one envelope per packet from 4.9 to 16.9 kHz.
/// Source: ISO/IEC 14496-3 sections 4.4.2.8 and 8.6.4.
struct SBRPayload {
    private(set) var bits = TestBits()
    private let channels: Int

    /// The number of bands that the header's fields imply.
    private static let (envelopeBands, noiseBands) = (16, 4)

    init(channels: Int, hasHeader: Bool) {
        self.channels = channels
        // bs_extension_type, bs_header_flag; bs_amp_res, bs_start_freq, bs_stop_freq, bs_xover_band, reserved, extras.
        bits.write((13, 4), (hasHeader ? 1 : 0, 1))
        if hasHeader { bits.write((0, 1), (5, 4), (9, 4), (0, 3), (0, 2), (0, 2)) }
    }

    mutating func write(hasPS: Bool, using random: inout SeededGenerator) {
        bits.write((0, 1))
        if channels == 2 { bits.write((0, 1)) }
        // Frame class FIXFIX, one envelope, high resolution; then all differences along frequency.
        for _ in 0..<channels { bits.write((0, 2), (0, 2), (1, 1)) }
        for _ in 0..<channels { bits.write((0, 1), (0, 1)) }
        for _ in 0..<channels {
            for _ in 0..<Self.noiseBands { bits.write((.random(in: 0...3, using: &random), 2)) }
        }
        for _ in 0..<channels { writeEnvelope(&random) }
        for _ in 0..<channels { writeNoise(&random) }
        // No added harmonics.
        bits.write((0, channels), (hasPS ? 1 : 0, 1))
        if hasPS { writePS(&random) }
    }

    private mutating func writeEnvelope(_ random: inout SeededGenerator) {
        bits.write((.random(in: 28...36, using: &random), 7))
        for _ in 1..<Self.envelopeBands {
            bits.write([(0, 2), (0b01, 2), (0b100, 3)].randomElement(using: &random) ?? (0, 2))
        }
    }

    private mutating func writeNoise(_ random: inout SeededGenerator) {
        bits.write((.random(in: 8...20, using: &random), 5))
        for _ in 1..<Self.noiseBands {
            bits.write([(0, 1), (0b10, 2), (0b110, 3)].randomElement(using: &random) ?? (0, 1))
        }
    }

    /// Writes one envelope of intensity differences and coherences, of 10 bands each, with their header.
    private mutating func writePS(_ random: inout SeededGenerator) {
        var data = TestBits()
        data.write((2, 2), (1, 1), (1, 1), (0, 3), (1, 1), (0, 3), (0, 1), (0, 1), (1, 2))
        data.write((0, 1))
        for _ in 0..<10 { data.write([(0, 1), (0b100, 3), (0b101, 3)].randomElement(using: &random) ?? (0, 1)) }
        data.write((0, 1), (0b10, 2))
        for _ in 1..<10 { data.write((0, 1)) }
        bits.write((data.bytes.count, 4))
        for byte in data.bytes { bits.write((Int(byte), 8)) }
    }
}
