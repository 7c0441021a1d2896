// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds MPEG audio in arbitrary bytes by headers that lead from one to the next. Source: ISO/IEC 11172-3 section
/// 2.4.2.3, ISO/IEC 13818-3 section 2.4.2.3. The content of the frames is not decoded.
enum MPEGSyncProbe {
    private static let enough = 3

    /// Returns true if the bytes contain consecutive frames.
    /// - Parameter isWhole: True if no bytes follow; then two frames, or one that ends with the bytes, are enough.
    static func isFound(in bytes: [UInt8], isWhole: Bool) -> Bool {
        bytes.indices.contains { bytes[$0] == 0xFF && begins(at: $0, bytes, isWhole) }
    }

    private static func begins(at start: Int, _ bytes: [UInt8], _ isWhole: Bool) -> Bool {
        guard let first = Header(bytes, at: start) else { return false }
        var (position, count) = (start + first.length, 1)
        while count < enough, let next = Header(bytes, at: position), next.kind == first.kind {
            position += next.length
            count += 1
        }
        if count == enough { return true }
        return isWhole && (count > 1 || (bytes.count - 3...bytes.count).contains(position))
    }

    private struct Header {
        /// The properties that all frames of a stream share.
        struct Kind: Equatable { let version, layer, rate: Int }

        let kind: Kind
        /// The number of bytes to the next header.
        let length: Int

        init?(_ bytes: [UInt8], at position: Int) {
            guard position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] & 0xE0 == 0xE0 else {
                return nil
            }
            let (second, third) = (Int(bytes[position + 1]), Int(bytes[position + 2]))
            let (version, layer, rate) = (second >> 3 & 3, second >> 1 & 3, third >> 2 & 3)
            let speed = third >> 4
            // Reserved values, and the free format, whose length the header does not declare.
            guard version != 1, layer != 0, rate != 3, 1...14 ~= speed else { return nil }
            kind = Kind(version: version, layer: layer, rate: rate)
            length = Self.length(kind, speed: speed, padding: third >> 1 & 1)
        }

        private static func length(_ kind: Kind, speed: Int, padding: Int) -> Int {
            let isFirst = kind.version == 3
            let bits = bitRates(isFirst, kind.layer)[speed - 1] * 1000
            let rate = [44_100, 48_000, 32_000][kind.rate] / (isFirst ? 1 : kind.version == 2 ? 2 : 4)
            switch kind.layer {
            case 3: return (12 * bits / rate + padding) * 4
            case 1 where !isFirst: return 72 * bits / rate + padding
            default: return 144 * bits / rate + padding
            }
        }

        /// Returns the bit rates in kilobits per second. The layer is the value of its two bits, 3 for Layer I.
        private static func bitRates(_ isFirst: Bool, _ layer: Int) -> [Int] {
            switch (isFirst, layer) {
            case (true, 3): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
            case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
            case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            case (false, 3): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
            case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            }
        }
    }
}
