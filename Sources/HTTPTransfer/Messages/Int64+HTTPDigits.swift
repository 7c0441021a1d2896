// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// A petabyte: what claims to be longer is no enclosure, and sums with it must not overflow.
    private static let largestClaim: Int64 = 1 << 50

    /// A non-negative decimal number with nothing around it, as in Content-Length; `nil` where it is anything else
    /// or larger than any enclosure can be.
    init?(httpDigits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let value = Int64(text), value <= Self.largestClaim
        else { return nil }
        self = value
    }
}
