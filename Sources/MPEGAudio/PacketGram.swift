// SPDX-License-Identifier: GPL-3.0-or-later

/// Eight packet hashes on end: what is looked up to find a place of one version in another.
struct PacketGram: Equatable {
    static let length = 8

    private let first: UInt64
    private let second: UInt64

    /// - Parameter place: at most `length` less than the number of hashes.
    init(_ hashes: UnsafeBufferPointer<UInt16>, at place: Int) {
        let bytes = UnsafeRawBufferPointer(hashes)
        first = bytes.loadUnaligned(fromByteOffset: 2 * place, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 2 * place + 8, as: UInt64.self)
    }

    /// Spreads grams over the slots of a table; the upper bits are the best.
    var spread: UInt64 {
        let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: second ^ 0xBB67_AE85_84CA_A73B)
        return (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Whether no two of the hashes there are alike. Digital silence and steady tones give packets that come again
    /// within a few, wherever they occur: they tell no place from another.
    /// - Parameter place: as for `init`.
    static func tellsPlaces(_ hashes: UnsafeBufferPointer<UInt16>, at place: Int) -> Bool {
        for later in place + 1..<place + length {
            for earlier in place..<later where hashes[earlier] == hashes[later] { return false }
        }
        return true
    }
}
