// SPDX-License-Identifier: GPL-3.0-or-later

/// Short hashes of all packets of one version of an episode, by packet number from 0 on.
///
/// 16 bits per packet: 0.28 MB per hour at 44.1 kHz. A single hash is weak, since one pair of different packets in
/// 65,536 collides; eight consecutive hashes are as strong as 128 bits. The values are valid only within one run of
/// one build: never store them.
public struct PacketHashes: Sendable, Equatable {
    private var hashes: [UInt16] = []

    public init() {}

    /// The number of hashed packets.
    public var count: Int64 { Int64(hashes.count) }

    /// Adds the packet numbered `count`.
    /// - Parameter bytes: the whole packet, including the header.
    public mutating func append(hashOf bytes: UnsafeRawBufferPointer) {
        hashes.append(Self.hash(bytes))
    }
}

extension PacketHashes {
    /// Creates hashes without packets, for tests.
    init(_ hashes: [UInt16]) { self.hashes = hashes }

    /// Calls `body` with the contiguous hashes.
    func withHashes<Result>(_ body: (UnsafeBufferPointer<UInt16>) -> Result) -> Result {
        hashes.withUnsafeBufferPointer(body)
    }

    /// Hashes 16 bytes per step with a full multiplication whose halves are folded together. The last step overlaps
    /// the one before, so only packets shorter than a step are hashed byte by byte.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var state = mixed(UInt64(bytes.count), firstKey)
        var offset = 0
        while offset + 16 < bytes.count {
            state = step(state, bytes, at: offset)
            offset += 16
        }
        if bytes.count >= 16 {
            state = step(state, bytes, at: bytes.count - 16)
        } else {
            for byte in bytes { state = mixed(state ^ UInt64(byte), firstKey) }
        }
        state = mixed(state, secondKey)
        return UInt16(truncatingIfNeeded: state ^ state >> 16 ^ state >> 32 ^ state >> 48)
    }

    private static func step(_ state: UInt64, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        return mixed(first ^ firstKey ^ state, second ^ secondKey)
    }

    private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }

    /// Odd numbers whose bits look random: the fractions of the golden ratio and of the square root of 3.
    private static let firstKey: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let secondKey: UInt64 = 0xBB67_AE85_84CA_A73B
}
