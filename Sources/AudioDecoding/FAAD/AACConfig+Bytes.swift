// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers

extension AACConfig {
    /// An AudioSpecificConfig for libfaad2, written from the checked values, so that the library never parses the
    /// file's own bytes. Source: ISO/IEC 14496-3 section 1.6.2.1.
    var bytes: [UInt8] {
        var bits = BitWriter()
        // libfaad2 reads the channels from the packets; the configuration only has to be valid.
        let fields: [(value: Int, width: Int)] =
            if case .present(let rate) = sbr {
                [(5, 5), (coreIndex, 4), (min(coded.channels, 7), 4), (index(ofSBRRate: rate), 4), (2, 5), (0, 3)]
            } else {
                // The extension states that SBR is absent. Without it the library would assume SBR at low rates.
                [(2, 5), (coreIndex, 4), (min(coded.channels, 7), 4), (0, 3), (0x2B7, 11), (5, 5), (0, 1)]
            }
        for field in fields { bits.write(field.value, field.width) }
        return bits.bytes
    }

    /// The index of the rate whose tables decode the stream. Source: ISO/IEC 14496-3 table 4.82. libfaad2 does not
    /// know the index of 7,350 Hz, which has the tables of 8,000 Hz.
    private var coreIndex: Int {
        let bounds = [92017, 75132, 55426, 46009, 37566, 27713, 23004, 18783, 13856, 11502, 9391]
        return bounds.firstIndex { coreSampleRate >= $0 } ?? bounds.count
    }

    /// Rates differ by a factor of two from the third next index on.
    private func index(ofSBRRate rate: Int) -> Int { rate > coreSampleRate ? coreIndex - 3 : coreIndex }
}

/// A writer of bit fields, most significant bit first.
private struct BitWriter {
    /// The last byte is padded with zeros.
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, _ width: Int) {
        for bit in (0..<width).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
            count += 1
        }
    }
}
