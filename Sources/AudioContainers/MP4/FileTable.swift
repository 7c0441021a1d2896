// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A table of equally long entries that stays in the file: one block of it is in memory.
struct FileTable: Sendable {
    /// The file offset of entry 0.
    let offset: Int64
    private(set) var count: Int64
    /// The length of an entry in bits: 4 in one kind of `stz2`, otherwise a multiple of 8.
    let entryBits: Int64
    /// The lengths in bytes of the block at entry 0 and of the others.
    let firstBlock: Int64
    let block: Int64

    /// The loaded entries.
    private(set) var loaded: Range<Int64> = 0..<0
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - count: the declared number of entries.
    ///   - end: the end of the box; entries beyond it do not exist.
    init(
        offset: Int64, count: Int64, entryBits: Int64, end: Int64, firstBlock: Int64 = 16 << 10, block: Int64 = 16 << 10
    ) {
        self.offset = offset
        self.count = max(0, min(count, (end - offset) * 8 / entryBits))
        self.entryBits = entryBits
        self.firstBlock = firstBlock
        self.block = block
    }

    /// True if the last entry is loaded.
    var isLoadedToEnd: Bool { loaded.upperBound == count }

    /// The file offset after the last loaded entry.
    var loadedEnd: Int64 { offset + (loaded.upperBound * entryBits + 7) / 8 }

    /// Returns the bytes of the block that would be loaded for an entry.
    func blockRange(at index: Int64) -> ByteRange {
        let first = index & ~1
        let length = first == 0 ? firstBlock : block
        let entries = min(count - first, max(2, length * 8 / entryBits))
        return offset + first * entryBits / 8..<offset + ((first + entries) * entryBits + 7) / 8
    }

    /// Loads the block that begins with an entry, as far as the file has it.
    mutating func load(at index: Int64, from window: ByteWindow) throws(Interruption) {
        guard (0..<count).contains(index) else { throw .damaged }
        let content = try window.available(blockRange(at: index))
        let first = index & ~1
        let entries = min(count - first, Int64(content.count) * 8 / entryBits)
        guard index < first + entries else { throw .beyondEnd }
        bytes = Array(content)
        loaded = first..<first + entries
        // Entries beyond the end of the file do not exist.
        if content.count < blockRange(at: index).count { count = loaded.upperBound }
    }

    mutating func require(_ index: Int64, from window: ByteWindow) throws(Interruption) {
        if !loaded.contains(index) { try load(at: index, from: window) }
    }

    /// Returns a field of a loaded entry; 0 if the entry is not loaded.
    /// - Parameters:
    ///   - byte: the place of the field in the entry.
    ///   - length: its length in bytes, at most 8; `nil` for the whole entry. A value of 2⁶³ or more is clamped.
    func number(at index: Int64, byte: Int64 = 0, length: Int? = nil) -> Int64 {
        guard loaded.contains(index) else { return 0 }
        let bit = (index - loaded.lowerBound) * entryBits
        let place = Int(bit / 8 + byte)
        if entryBits == 4 { return Int64(bit % 8 == 0 ? bytes[place] >> 4 : bytes[place] & 15) }
        var value: UInt64 = 0
        for index in place..<place + (length ?? Int(entryBits / 8)) { value = value << 8 | UInt64(bytes[index]) }
        return Int64(clamping: value)
    }
}
