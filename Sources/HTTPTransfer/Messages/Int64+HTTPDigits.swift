// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// A pebibyte. Enclosures are never longer, and sums with this value must not overflow.
    private static let largestClaim: Int64 = 1 << 50

    /// Parses a non-negative decimal number without surrounding text, as in Content-Length; `nil` for any other text,
    /// or for a number larger than any enclosure.
    init?(httpDigits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let value = Int64(text), value <= Self.largestClaim
        else { return nil }
        self = value
    }
}
