// SPDX-License-Identifier: GPL-3.0-or-later

/// A shingle: eight consecutive packet hashes, which identify a position of one version in another.
struct PacketShingle: Equatable {
    static let length = 8

    private let first: UInt64
    private let second: UInt64

    /// - Parameter place: at most the number of hashes minus `length`.
    init(_ hashes: UnsafeBufferPointer<UInt16>, at place: Int) {
        let bytes = UnsafeRawBufferPointer(hashes)
        first = bytes.loadUnaligned(fromByteOffset: 2 * place, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 2 * place + 8, as: UInt64.self)
    }

    /// A hash that distributes shingles over the slots of a table; its upper bits are the best.
    var spread: UInt64 {
        let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: second ^ 0xBB67_AE85_84CA_A73B)
        return (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Returns true if the hashes at `place` are all different. Digital silence and steady tones repeat packets
    /// within a few packets at many positions, so they do not identify a position.
    /// - Parameter place: as for `init`.
    static func isDistinctive(_ hashes: UnsafeBufferPointer<UInt16>, at place: Int) -> Bool {
        for later in place + 1..<place + length {
            for earlier in place..<later where hashes[earlier] == hashes[later] { return false }
        }
        return true
    }
}
