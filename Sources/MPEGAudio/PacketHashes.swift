// SPDX-License-Identifier: GPL-3.0-or-later

/// A short hash of each packet of one version of an episode, by packet number from 0 on.
///
/// 16 bits a packet: 0.28 MB an hour at 44.1 kHz. One hash says little, since one pair of different packets in 65,536
/// has the same; eight of them on end say as much as 128 bits. The values hold for one run of one build: never on disk.
public struct PacketHashes: Sendable, Equatable {
    private var hashes: [UInt16] = []

    public init() {}

    /// Packets hashed.
    public var count: Int64 { Int64(hashes.count) }

    /// Adds the packet numbered `count`.
    /// - Parameter bytes: the whole packet, header included.
    public mutating func append(hashOf bytes: UnsafeRawBufferPointer) {
        hashes.append(Self.hash(bytes))
    }
}

extension PacketHashes {
    /// For tests, which need no packets.
    init(_ hashes: [UInt16]) { self.hashes = hashes }

    /// The hashes as they lie in memory.
    func withHashes<Result>(_ body: (UnsafeBufferPointer<UInt16>) -> Result) -> Result {
        hashes.withUnsafeBufferPointer(body)
    }

    /// Sixteen bytes a step, mixed by a full multiplication whose halves are folded together; the last step overlaps
    /// the one before, so that no byte is taken by itself unless the packet is shorter than a step.
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

    /// Odd numbers whose bits look like chance: the fractions of the golden ratio and of the square root of 3.
    private static let firstKey: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let secondKey: UInt64 = 0xBB67_AE85_84CA_A73B
}
