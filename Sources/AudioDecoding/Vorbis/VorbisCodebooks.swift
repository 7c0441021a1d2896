// SPDX-License-Identifier: GPL-3.0-or-later

/// A check of the codebooks in a Vorbis setup header, before libvorbis reads them.
///
/// A codebook of a few bytes can declare millions of entries. libvorbis allocates up to 64 MB for each of 256
/// codebooks, and 12 bytes per entry on the stack, which overflows.
/// Source: Vorbis I sections 4.2.4 and 3.2.1.
struct VorbisCodebooks {
    /// The most entries of one codebook: 768 KB of stack. libvorbisenc uses up to 6,561.
    static let entryLimit = 1 << 16
    /// The most values of all codebooks together, about 7 MB. libvorbisenc uses up to 88,000.
    static let valueLimit = 1 << 19

    private let bytes: [UInt8]
    private var position = 0

    /// - Throws: `DecodingError.badPacket`.
    static func check(_ setup: [UInt8]) throws(DecodingError) {
        var reader = VorbisCodebooks(bytes: setup)
        guard setup.starts(with: [5] + Array("vorbis".utf8)) else { throw .badPacket(reason: "no Vorbis setup header") }
        reader.position = 7 * 8
        var values = 0
        for _ in 0...reader.read(8) {
            values += try reader.codebook()
            guard values <= valueLimit, reader.position <= setup.count * 8 else { throw damaged }
        }
    }

    private static let damaged = DecodingError.badPacket(reason: "the Vorbis codebooks are damaged")

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an unsigned number, least significant bit first. Bits past the end are 0.
    private mutating func read(_ count: Int) -> Int {
        var value = 0
        for bit in 0..<count {
            let byte = position >> 3
            if byte < bytes.count { value |= (Int(bytes[byte]) >> (position & 7) & 1) << bit }
            position += 1
        }
        return value
    }

    /// Skips one codebook.
    /// - Returns: its number of values: entries times dimensions, or entries alone if it has no dimensions.
    private mutating func codebook() throws(DecodingError) -> Int {
        guard read(24) == 0x564342 else { throw Self.damaged }
        let (dimensions, entries) = (read(16), read(24))
        let values = max(1, dimensions) * entries
        guard entries <= Self.entryLimit, values <= Self.valueLimit else { throw Self.damaged }
        if read(1) == 1 { skipOrderedLengths(entries) } else { skipLengths(entries) }
        let type = read(4)
        guard type > 0 else { return values }
        position += 32 + 32
        let width = read(4) + 1
        position += 1 + width * (type == 1 ? Self.root(of: entries, dimensions) : dimensions * entries)
        return values
    }

    private mutating func skipLengths(_ entries: Int) {
        guard read(1) == 1 else { return position += 5 * entries }
        for _ in 0..<entries where read(1) == 1 { position += 5 }
    }

    private mutating func skipOrderedLengths(_ entries: Int) {
        position += 5
        var left = entries
        // A codeword has at most 32 bits, so there are at most 32 groups.
        for _ in 0..<32 where left > 0 { left -= min(left, read(Int.bitWidth - left.leadingZeroBitCount)) }
    }

    /// Returns the greatest integer whose power of `dimensions` is at most `entries`.
    private static func root(of entries: Int, _ dimensions: Int) -> Int {
        guard dimensions > 0, entries > 0 else { return 0 }
        func power(_ base: Int) -> Int {
            (0..<dimensions).reduce(1) { product, _ in product > entries ? product : product * base }
        }
        var root = 1
        while power(root + 1) <= entries { root += 1 }
        return root
    }
}
