// SPDX-License-Identifier: GPL-3.0-or-later

/// An incremental 64-bit hash that detects damaged or changed bytes at the speed of memory; the boundaries between the
/// pieces do not affect it. It is not cryptographic: collisions can be constructed.
///
/// Manifests of partial files and the library store its values, so the algorithm must not change.
public struct ContentHash: Sendable {
    /// Four independent lanes, because the processor runs several multiplications in parallel.
    private typealias Lanes = (UInt64, UInt64, UInt64, UInt64)

    private static let odd: UInt64 = 0x9e37_79b9_7f4a_7c15
    private static let blockLength = 32

    private var lanes: Lanes = (1, 2, 3, 4)
    private var length: UInt64 = 0
    /// The unprocessed bytes, fewer than a block.
    private var rest: [UInt8] = []

    public init() {}

    /// Returns the hash of all of `bytes`.
    public static func value(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = ContentHash()
        hash.append(bytes)
        return hash.value
    }

    /// Adds bytes to the hash.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockLength - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == Self.blockLength else { return }
            lanes = rest.withUnsafeBytes { [lanes] in Self.mixed(lanes, blocks: $0[...]) }
            rest.removeAll(keepingCapacity: true)
        }
        let end = start + (bytes.count - start) / Self.blockLength * Self.blockLength
        lanes = Self.mixed(lanes, blocks: bytes[start..<end])
        rest += bytes[end...]
    }

    public var value: UInt64 {
        let words = [lanes.0, lanes.1, lanes.2, lanes.3] + rest.map(UInt64.init)
        return words.reduce(length, Self.mixed)
    }

    /// - Parameter blocks: a multiple of the block length.
    private static func mixed(_ lanes: Lanes, blocks: Slice<UnsafeRawBufferPointer>) -> Lanes {
        let bytes = UnsafeRawBufferPointer(rebasing: blocks)
        var (first, second, third, fourth) = lanes
        for offset in stride(from: 0, to: bytes.count, by: blockLength) {
            first = mixed(first, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            second = mixed(second, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            third = mixed(third, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            fourth = mixed(fourth, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
        }
        return (first, second, third, fourth)
    }

    /// Mixes a word into the state: a bijection of `state` for each word, and of the word for each state.
    @inline(__always)
    private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word) &* odd
        return (product ^ product >> 32) &+ odd
    }
}
