// SPDX-License-Identifier: GPL-3.0-or-later

/// A 64-bit hash that detects damaged bytes at the speed of memory. It is not cryptographic: collisions can be
/// constructed.
enum ContentHash {
    private static let odd: UInt64 = 0x9e37_79b9_7f4a_7c15

    static func value(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Four independent lanes, because the processor runs several multiplications in parallel.
        var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        let wide = bytes.count & ~31
        for offset in stride(from: 0, to: wide, by: 32) {
            first = mix(first, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            second = mix(second, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            third = mix(third, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            fourth = mix(fourth, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
        }
        var all = mix(mix(mix(mix(UInt64(bytes.count), first), second), third), fourth)
        for byte in bytes[wide...] { all = mix(all, UInt64(byte)) }
        return all
    }

    /// Mixes a word into the state: a bijection of `state` for each word, and of the word for each state.
    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word) &* odd
        return (product ^ product >> 32) &+ odd
    }
}
