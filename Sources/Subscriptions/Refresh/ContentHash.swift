// SPDX-License-Identifier: GPL-3.0-or-later

/// An incremental 64-bit hash of bytes; the boundaries between the pieces do not affect it. It detects whether a feed
/// has changed. It is not cryptographic: the author of a feed can construct two versions with equal hashes, which
/// does no harm.
public struct ContentHash: Sendable {
    /// Odd numbers with about as many ones as zeros and no pattern.
    private static let keys: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
    private static let blockLength = 16

    private var state: UInt64 = 0x1656_67B1_9E37_79F9
    private var length: UInt64 = 0
    /// The unprocessed bytes, fewer than a block.
    private var rest: [UInt8] = []

    public init() {}

    /// Adds bytes to the hash.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockLength - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == Self.blockLength else { return }
            state = Self.mixed(state, rest)
            rest.removeAll(keepingCapacity: true)
        }
        var state = state
        while bytes.count - start >= Self.blockLength {
            state = Self.mixed(state, bytes, at: start)
            start += Self.blockLength
        }
        self.state = state
        rest += bytes[start...]
    }

    public var value: UInt64 {
        let block = rest + [UInt8](repeating: 0, count: Self.blockLength - rest.count)
        return Self.folded(Self.mixed(state, block) ^ length, Self.keys.1)
    }

    private static func mixed(_ state: UInt64, _ block: [UInt8]) -> UInt64 {
        block.withUnsafeBytes { mixed(state, $0, at: 0) }
    }

    private static func mixed(_ state: UInt64, _ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt64 {
        let first = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        let second = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
        return folded(first ^ state ^ keys.0, second ^ keys.1) ^ state &* keys.1
    }

    /// Returns both halves of the product combined, so that each bit of either factor affects the result.
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
