// SPDX-License-Identifier: GPL-3.0-or-later

/// A parser of the setup header of Vorbis that skips everything but the sizes of the codebooks and the modes.
/// Source: Vorbis I section 4.2.4.
package struct VorbisSetup {
    /// The size of a codebook. Source: Vorbis I section 3.2.1.
    package struct Codebook {
        /// The number of values of an entry.
        package let dimensions: Int
        package let entries: Int
    }

    private struct Truncated: Error {}

    private let bytes: ArraySlice<UInt8>
    /// The number of bits read.
    private var position = 0

    /// Returns the block flag of each mode: true for a long block.
    /// - Parameter packet: The setup header with its name.
    /// - Returns: `nil` if the header is damaged.
    static func blockFlags(of packet: ArraySlice<UInt8>, channels: Int) -> [Bool]? {
        var setup = VorbisSetup(packet)
        do throws(Truncated) {
            return try setup.readBlockFlags(channels: channels)
        } catch {
            return nil
        }
    }

    /// Returns the sizes of the codebooks.
    /// - Parameter packet: The setup header with its name.
    /// - Returns: `nil` if the codebooks are damaged.
    package static func codebooks(of packet: ArraySlice<UInt8>) -> [Codebook]? {
        var setup = VorbisSetup(packet)
        do throws(Truncated) {
            return try setup.readCodebooks()
        } catch {
            return nil
        }
    }

    /// Returns the number of bits that numbers up to `highest` need; the specification's `ilog`.
    static func width(of highest: Int) -> Int { highest > 0 ? Int.bitWidth - highest.leadingZeroBitCount : 0 }

    private init(_ packet: ArraySlice<UInt8>) { bytes = packet.dropFirst(7) }

    private mutating func readCodebooks() throws(Truncated) -> [Codebook] {
        var codebooks: [Codebook] = []
        for _ in 0...(try read(8)) { codebooks.append(try readCodebook()) }
        return codebooks
    }

    private mutating func readBlockFlags(channels: Int) throws(Truncated) -> [Bool] {
        _ = try readCodebooks()
        for _ in 0...(try read(6)) { try skip(16) }
        for _ in 0...(try read(6)) { try skipFloor() }
        for _ in 0...(try read(6)) { try skipResidue() }
        for _ in 0...(try read(6)) { try skipMapping(channels: channels) }
        var flags: [Bool] = []
        for _ in 0...(try read(6)) {
            flags.append(try read(1) == 1)
            try skip(16 + 16 + 8)
        }
        // The framing bit.
        guard try read(1) == 1 else { throw Truncated() }
        return flags
    }

    /// Reads a number of up to 32 bits, least significant bit first.
    private mutating func read(_ count: Int) throws(Truncated) -> Int {
        guard count <= bytes.count * 8 - position else { throw Truncated() }
        var value = 0
        for bit in 0..<count {
            let place = position + bit
            value |= Int(bytes[bytes.startIndex + place / 8] >> UInt8(place % 8) & 1) << bit
        }
        position += count
        return value
    }

    private mutating func skip(_ count: Int) throws(Truncated) {
        guard count <= bytes.count * 8 - position else { throw Truncated() }
        position += count
    }
}

extension VorbisSetup {
    /// Source: Vorbis I section 3.2.1.
    private mutating func readCodebook() throws(Truncated) -> Codebook {
        guard try read(24) == 0x564342 else { throw Truncated() }
        let dimensions = try read(16)
        let entries = try read(24)
        let codebook = Codebook(dimensions: dimensions, entries: entries)
        if try read(1) == 1 { try skipOrderedLengths(entries) } else { try skipLengths(entries) }
        let type = try read(4)
        guard type > 0 else { return codebook }
        guard type <= 2 else { throw Truncated() }
        try skip(32 + 32)
        let width = try read(4) + 1
        let values = type == 1 ? Self.root(of: entries, dimensions) : entries * dimensions
        try skip(1 + values * width)
        return codebook
    }

    private mutating func skipLengths(_ entries: Int) throws(Truncated) {
        guard try read(1) == 1 else { return try skip(5 * entries) }
        for _ in 0..<entries where try read(1) == 1 { try skip(5) }
    }

    private mutating func skipOrderedLengths(_ entries: Int) throws(Truncated) {
        try skip(5)
        var left = entries
        // Codewords have at most 32 bits, and each group of entries has one more bit than the group before.
        for _ in 0..<32 where left > 0 { left -= try read(Self.width(of: left)) }
        guard left == 0 else { throw Truncated() }
    }

    /// Returns the greatest integer whose power of `dimensions` is at most `entries`. Source: Vorbis I section 9.2.3.
    private static func root(of entries: Int, _ dimensions: Int) -> Int {
        guard entries > 0, dimensions > 0 else { return 0 }
        guard dimensions > 1 else { return entries }
        // Of 2 and more, the power exceeds any number of entries after 24 factors.
        let factors = min(dimensions, 25)
        var root = 1
        while (0..<factors).reduce(1, { product, _ in product > entries ? product : product * (root + 1) }) <= entries {
            root += 1
        }
        return root
    }

    /// Source: Vorbis I section 6.2.1 and section 7.2.2.
    private mutating func skipFloor() throws(Truncated) {
        switch try read(16) {
        case 0:
            try skip(8 + 16 + 16 + 6 + 8)
            try skip(8 * (try read(4) + 1))
        case 1: try skipFloorOfPartitions()
        default: throw Truncated()
        }
    }

    private mutating func skipFloorOfPartitions() throws(Truncated) {
        var classes: [Int] = []
        for _ in 0..<(try read(5)) { classes.append(try read(4)) }
        var dimensions: [Int] = []
        if let highest = classes.max() {
            for _ in 0...highest {
                dimensions.append(try read(3) + 1)
                let subclasses = try read(2)
                try skip((subclasses > 0 ? 8 : 0) + 8 << subclasses)
            }
        }
        try skip(2)
        let width = try read(4)
        for number in classes { try skip(width * dimensions[number]) }
    }

    /// Source: Vorbis I section 8.6.1.
    private mutating func skipResidue() throws(Truncated) {
        guard try read(16) <= 2 else { throw Truncated() }
        try skip(24 + 24 + 24)
        let classifications = try read(6) + 1
        try skip(8)
        var books = 0
        for _ in 0..<classifications {
            books += try read(3).nonzeroBitCount
            if try read(1) == 1 { books += try read(5).nonzeroBitCount }
        }
        try skip(8 * books)
    }

    /// Source: Vorbis I section 4.2.4, mappings.
    private mutating func skipMapping(channels: Int) throws(Truncated) {
        guard try read(16) == 0 else { throw Truncated() }
        let submaps = try read(1) == 1 ? try read(4) + 1 : 1
        if try read(1) == 1 { try skip((try read(8) + 1) * 2 * Self.width(of: channels - 1)) }
        guard try read(2) == 0 else { throw Truncated() }
        if submaps > 1 { try skip(4 * channels) }
        try skip((8 + 8 + 8) * submaps)
    }
}
