// SPDX-License-Identifier: GPL-3.0-or-later

/// A 64-bit hash of bytes that come in pieces; where they are cut makes no difference. It tells a feed that was sent
/// again from one that has changed; whoever writes the feed can make two with the same hash, to no one's harm.
public struct ContentHash: Sendable {
    /// Odd, with as many ones as zeros and no pattern.
    private static let keys: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
    private static let blockLength = 16

    private var state: UInt64 = 0x1656_67B1_9E37_79F9
    private var length: UInt64 = 0
    /// Less than a block.
    private var rest: [UInt8] = []

    public init() {}

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

    /// Both halves of the product, so that every bit of either factor counts.
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
