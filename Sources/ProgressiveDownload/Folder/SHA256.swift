// SPDX-License-Identifier: GPL-3.0-or-later

/// SHA-256 of a short message, for names of files. Source: FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2.
///
/// swift-crypto would make the program a fifth larger (docs/decisions/0057-own-sha256.md).
enum SHA256 {
    /// Returns the 32 bytes of the digest.
    static func digest(of message: some Collection<UInt8>) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        let padded = padding(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            compress(&state, block: padded[start..<start + 64])
        }
        return state.flatMap(bigEndian)
    }

    private static func padding(_ message: some Collection<UInt8>) -> [UInt8] {
        var bytes = Array(message)
        let bits = UInt64(bytes.count) * 8
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        return bytes + bigEndian(UInt32(bits >> 32)) + bigEndian(UInt32(truncatingIfNeeded: bits))
    }

    private static func compress(_ state: inout [UInt32], block: ArraySlice<UInt8>) {
        let schedule = schedule(of: block)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice &+ constants[round] &+ schedule[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func schedule(of block: ArraySlice<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 2], words[index - 15])
            let small = turn(far, 7) ^ turn(far, 18) ^ (far >> 3)
            let large = turn(near, 17) ^ turn(near, 19) ^ (near >> 10)
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        return words
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func bigEndian(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes.map(cubeRootFraction)

    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

    /// Returns the fraction: the largest r with r³ ≤ prime · 2⁹⁶ is the cube root times 2³², and its low word is the
    /// fraction.
    private static func cubeRootFraction(of prime: Int) -> UInt32 {
        var root: UInt64 = 0
        let target = UInt128(prime) << 96
        for bit in (0..<36).reversed() {
            let candidate = root | 1 << UInt64(bit)
            let wide = UInt128(candidate)
            if wide * wide * wide <= target { root = candidate }
        }
        return UInt32(truncatingIfNeeded: root)
    }
}
