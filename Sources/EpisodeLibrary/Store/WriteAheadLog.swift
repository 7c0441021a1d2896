// SPDX-License-Identifier: GPL-3.0-or-later

/// The log that SQLite keeps beside a database, read as SQLite reads it after a crash: complete transactions up to
/// the first invalid frame. Source: the SQLite database file format, section 4.
struct WriteAheadLog {
    static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let magic: UInt32 = 0x377F_0682
    private static let version: UInt32 = 3_007_000

    private let bytes: [UInt8]
    private let pageSize: Int
    private let isBigEndian: Bool

    /// Returns `nil` if the bytes do not begin a log: a database without one is complete.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize else { return nil }
        let first = Self.word(bytes, at: 0)
        pageSize = Int(Self.word(bytes, at: 8))
        isBigEndian = first & 1 == 1
        self.bytes = bytes
        guard first & ~1 == Self.magic, Self.word(bytes, at: 4) == Self.version,
            512...65_536 ~= pageSize, pageSize & (pageSize - 1) == 0,
            checksum(of: 0..<24, after: (0, 0)) == storedChecksum(at: 24)
        else { return nil }
    }

    /// Writes the pages of all committed transactions into `database`.
    func apply(to database: inout [UInt8]) {
        let (pages, count) = committed()
        // A transaction cannot make a database larger than its pages and those of the log.
        guard count > 0, count * pageSize <= database.count + bytes.count else { return }
        let size = count * pageSize
        database.removeLast(max(0, database.count - size))
        database.append(contentsOf: repeatElement(0, count: size - database.count))
        for (number, offset) in pages where number <= count {
            let start = (number - 1) * pageSize
            database.replaceSubrange(start..<start + pageSize, with: bytes[offset..<offset + pageSize])
        }
    }

    /// - Returns: the offset of the latest committed bytes of each page, and the number of pages of the database; 0
    ///   if nothing was committed.
    private func committed() -> (pages: [Int: Int], count: Int) {
        var (pages, pending, count) = ([Int: Int](), [Int: Int](), 0)
        var sum = storedChecksum(at: 24)
        var offset = Self.headerSize
        while offset + Self.frameHeaderSize + pageSize <= bytes.count {
            let page = offset + Self.frameHeaderSize
            sum = checksum(of: page..<page + pageSize, after: checksum(of: offset..<offset + 8, after: sum))
            let number = Int(Self.word(bytes, at: offset))
            guard number > 0, hasSalt(at: offset + 8), sum == storedChecksum(at: offset + 16) else { break }
            pending[number] = page
            let size = Int(Self.word(bytes, at: offset + 4))
            if size > 0 {
                pages.merge(pending) { $1 }
                (pending, count) = ([:], size)
            }
            offset = page + pageSize
        }
        return (pages, count)
    }

    /// True if the frame belongs to the current round of the log; older frames have another salt.
    private func hasSalt(at offset: Int) -> Bool { bytes[offset..<offset + 8] == bytes[16..<24] }

    private func storedChecksum(at offset: Int) -> (UInt32, UInt32) {
        (Self.word(bytes, at: offset), Self.word(bytes, at: offset + 4))
    }

    /// Returns the checksum of section 4.2; the words have the byte order of the machine that began the log.
    private func checksum(of range: Range<Int>, after sum: (UInt32, UInt32)) -> (UInt32, UInt32) {
        var (first, second) = sum
        bytes.withUnsafeBytes { raw in
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                first &+= word(raw, at: offset) &+ second
                second &+= word(raw, at: offset + 4) &+ first
            }
        }
        return (first, second)
    }

    private func word(_ raw: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
