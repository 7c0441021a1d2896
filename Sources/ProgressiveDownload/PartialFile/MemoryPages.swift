// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Bytes in memory, by their offsets in a file, for an episode that cannot be stored on the disk.
struct MemoryPages: Sendable {
    private static let pageSize = 64 << 10

    private var pages: [Int64: [UInt8]] = [:]
    private(set) var extents = ByteRangeSet()
    /// The error because of which the bytes are not in the file.
    let cause: SystemError
    /// The maximum amount of memory in bytes.
    private let limit: Int

    init(because cause: SystemError = SystemError("pwrite", code: ENOSPC), limit: Int = Self.share) {
        (self.cause, self.limit) = (cause, limit)
    }

    /// The error of a write that would exceed the limit.
    static let full = SystemError("mmap", code: ENOSPC)

    /// An eighth of the machine's memory, 256 MiB at most.
    private static let share: Int = {
        let bytes = sysconf(CInt(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: sysconf(CInt(_SC_PAGESIZE)))
        return bytes.overflow ? 256 << 20 : min(max(0, bytes.partialValue / 8), 256 << 20)
    }()

    /// Stores all of `bytes`.
    /// - Throws: `full` if they would exceed the limit; no byte is stored then.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        let end = offset + Int64(bytes.count)
        let numbers = offset / Int64(Self.pageSize)..<(end + Int64(Self.pageSize) - 1) / Int64(Self.pageSize)
        let missing = numbers.count { pages[$0] == nil }
        guard (pages.count + missing) * Self.pageSize <= limit else { throw Self.full }
        for number in numbers {
            let start = number * Int64(Self.pageSize)
            let piece = max(start, offset)..<min(start + Int64(Self.pageSize), end)
            let source = bytes[Int(piece.lowerBound - offset)..<Int(piece.upperBound - offset)]
            pages[number, default: [UInt8](repeating: 0, count: Self.pageSize)].withUnsafeMutableBytes { page in
                page[Int(piece.lowerBound - start)...].copyBytes(from: source)
            }
        }
        extents.insert(offset..<end)
    }

    /// Copies contiguous bytes from `offset` on, up to the end of the page, and returns their number.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (number, start) = offset.quotientAndRemainder(dividingBy: Int64(Self.pageSize))
        let end = min(extents.contiguousEnd(from: offset), (number + 1) * Int64(Self.pageSize))
        guard end > offset, let page = pages[number] else { return 0 }
        let count = min(Int(end - offset), buffer.count)
        page.withUnsafeBytes { page in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: page[Int(start)..<Int(start) + count]))
        }
        return count
    }

    /// Writes all bytes to a file, in the order of their offsets.
    func write(to file: OpenFile) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pageSize, alignment: 16)
        defer { buffer.deallocate() }
        for range in extents.ranges {
            var offset = range.lowerBound
            while case let count = read(at: offset, into: buffer), count > 0 {
                try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                offset += Int64(count)
            }
        }
    }
}
