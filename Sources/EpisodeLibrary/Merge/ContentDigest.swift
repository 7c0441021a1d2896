// SPDX-License-Identifier: GPL-3.0-or-later

/// A 64-bit digest of texts and numbers for the detection of changes, equal in every process and on every machine. It
/// does not protect against forgery: the author of a feed can only deceive the readers of that feed.
///
/// Not `ContentHash`, because the digests are keys in every existing library, and their texts are not all stored.
public struct ContentDigest: Sendable {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    public init() {}

    /// The digest in its stored form: SQLite has only signed integers.
    public var value: Int64 { Int64(bitPattern: Self.mixed(state)) }

    /// Adds a number.
    public mutating func add(_ number: Int64?) {
        add(number.map { UInt64(bitPattern: $0) &+ 1 } ?? 0)
    }

    /// Adds a text, eight bytes at a time. The length ends each text, so that different lists of texts do not
    /// collide.
    public mutating func add(_ text: String?) {
        guard var text else { return add(UInt64.max) }
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes; the count ends them.
    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
        add(rest ^ UInt64(bytes.count) << 56)
    }

    private mutating func add(_ word: UInt64) {
        state = (state ^ Self.mixed(word)) &* Self.prime
        state ^= state >> 29
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 32) &* 0xD6E8_FEB8_6659_FD93
        word = (word ^ word >> 32) &* 0xD6E8_FEB8_6659_FD93
        return word ^ word >> 32
    }

    /// Returns the digest of one text; `nil` for a missing or empty text.
    static func of(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        var digest = ContentDigest()
        digest.add(text)
        return digest.value
    }
}
