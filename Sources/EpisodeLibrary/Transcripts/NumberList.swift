// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials

/// A list of small numbers, stored in one column: 7 bits in each byte, the lowest first, and the high bit set in all
/// but the last byte of a number.
enum NumberList {
    static func data(_ numbers: [UInt64]) -> Data {
        var bytes: [UInt8] = []
        for number in numbers {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
        return Data(bytes)
    }

    /// - Returns: `nil` if `data` did not write the bytes.
    static func numbers(_ data: Data) -> [UInt64]? {
        var (numbers, number, shift): ([UInt64], UInt64, UInt64) = ([], 0, 0)
        for byte in data {
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            numbers.append(number)
            (number, shift) = (0, 0)
        }
        return shift == 0 ? numbers : nil
    }
}
