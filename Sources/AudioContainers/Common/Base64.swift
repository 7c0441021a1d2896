// SPDX-License-Identifier: GPL-3.0-or-later

/// The encoding of binary data in Vorbis comments. Source: RFC 4648 section 4.
enum Base64 {
    private static let values: [UInt8?] = {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Returns the decoded bytes. White space is skipped; padding or any other byte ends the text.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count) = (0 as UInt32, 0)
        for byte in text {
            guard let value = values[Int(byte)] else {
                if byte <= 0x20 { continue }
                break
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }
}
