// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The bytes of one version of an enclosure on disk, readable while they are written.
///
/// One thread at a time stores, one saves and renames; any thread reads. A byte is written before it is published, so
/// a reader never sees a missing byte. The file is sparse: only its extents are valid, and its size has no meaning.
final class PartialFile: Sendable {
    struct Content: Sendable {
        /// The readable bytes.
        var extents: ByteRangeSet
        /// The readable bytes that survive a power failure.
        var durable: ByteRangeSet
        /// The number of times bytes that were not durable had to be discarded.
        var losses = 0
        /// True if only this process may write.
        var isLocked = true
        /// Whole blocks of an earlier run that were not compared with their hashes yet.
        var unverified = ByteRangeSet()
        /// Blocks that were found to be damaged.
        var lost: [ByteRange] = []
        /// The number of the temporary name of a file that is to replace another one; `nil` if it has the name that the
        /// journal refers to.
        var replacementNumber: Int?
        /// The reason why it did not get that name; a file that replaces it does not get it either.
        var namingError: SystemError?
        /// The reason why the whole file did not get its final name.
        var finishError: SystemError?
    }

    let location: DownloadLocation
    let url: String
    let file: OpenFile
    let fileNumber: UInt64
    let stamp: UInt64
    let calls: DiskCalls
    let content: Mutex<Content>
    let journal: Mutex<PartialFileJournal>
    /// The hashes that the manifest contains or will contain.
    let hashes: Mutex<BlockHashes>
    /// Bytes that cannot be stored on the disk; `nil` while all of them can.
    let memory: Mutex<MemoryPages?>
    /// The reason why this process changes neither the file nor those beside it, and stores further bytes in memory;
    /// `nil` for a file that was opened for writing.
    let writeError: SystemError?

    /// - Parameters:
    ///   - durable: The extents of the manifest.
    ///   - noted: The sequence number of the journal record that extends them.
    init(
        _ location: DownloadLocation, url: String, file: OpenFile, fileNumber: UInt64, stamp: UInt64,
        extents: ByteRangeSet, durable: ByteRangeSet, noted: UInt64,
        hashes: BlockHashes, calls: DiskCalls, writeError: SystemError? = nil
    ) {
        self.location = location
        self.url = url
        self.file = file
        self.fileNumber = fileNumber
        self.stamp = stamp
        self.calls = calls
        self.writeError = writeError
        memory = Mutex(writeError.map { MemoryPages(because: $0) })
        self.hashes = Mutex(hashes)
        content = Mutex(Content(extents: extents, durable: durable))
        let subject = Self.subject(fileNumber, stamp, calls)
        journal = Mutex(
            PartialFileJournal(path: location.journalPath, subject: subject, sequence: noted, calls: calls))
    }

    static func subject(_ fileNumber: UInt64, _ stamp: UInt64, _ calls: DiskCalls) -> PartialFileJournal.Subject? {
        calls.boot().map { PartialFileJournal.Subject(boot: $0, fileNumber: fileNumber, stamp: stamp) }
    }

    /// The readable bytes.
    var extents: ByteRangeSet { content.withLock { $0.extents } }

    /// True if only this process may write, until `release`.
    var isLocked: Bool {
        get { content.withLock { $0.isLocked } }
        set { content.withLock { $0.isLocked = newValue } }
    }

    /// The bytes stored in the file.
    var fileExtents: ByteRangeSet {
        var extents = extents
        for range in memory.withLock({ $0?.extents.ranges ?? [] }) { extents.subtract(range) }
        return extents
    }

    /// True if all readable bytes are in the file.
    var isOnDisk: Bool { memory.withLock { $0?.extents.isEmpty != false } }

    /// The reason why readable bytes are not in the file, or why the whole file does not get its final name; `nil` if
    /// neither is the case.
    var unsavedReason: String? {
        guard let cause = unsavedCause else { return nil }
        return cause.isFull ? cause.phrase : "cannot write to \(location.directory): \(cause.phrase)"
    }

    private var unsavedCause: SystemError? {
        if let cause = memory.withLock({ $0?.extents.isEmpty == false ? $0?.cause : nil }) { return cause }
        return content.withLock { $0.finishError }
    }

    /// Records why the whole file does not get its final name.
    func keepUnnamed(because error: SystemError) { content.withLock { $0.finishError = error } }

    /// True if the bytes in memory fit into the file once space is freed.
    var waitsForSpace: Bool { writeError == nil && memory.withLock { $0?.cause.isFull == true } }

    /// The number of bytes in memory; `nil` while further bytes are stored in the file.
    var memoryCount: Int64? { memory.withLock { $0?.extents.count } }

    /// Stores all further bytes in memory.
    func overflow(because error: SystemError) { memory.withLock { $0 = $0 ?? MemoryPages(because: error) } }

    /// - Throws: `writeError`.
    func checkWritable() throws(SystemError) {
        if let writeError { throw writeError }
    }

    /// Copies contiguous bytes from `offset` on and returns their number.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if case let count = memory.withLock({ $0?.read(at: offset, into: buffer) ?? 0 }), count > 0 { return count }
        let count = Int(try verifiedEnd(from: offset, atMost: offset + Int64(buffer.count)) - offset)
        guard count > 0 else { return 0 }
        let done = try file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        guard done > 0 else { throw .shortened }
        return done
    }

    /// Writes missing bytes and compares stored ones.
    /// - Returns: `false` if stored bytes differ; no byte after them is written then.
    func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        try prove(offset..<offset + Int64(bytes.count))
        let before = content.withLock { $0 }
        // A write past the end of a truncated file would leave a hole, which a reader would take for data.
        guard try file.status().st_size >= fileExtents.upperBound ?? 0 else { throw .shortened }
        let end = offset + Int64(bytes.count)
        var position = offset
        while position < end {
            let heldEnd = min(before.extents.contiguousEnd(from: position), end)
            let next = heldEnd > position ? heldEnd : before.extents.firstGap(in: position..<end)?.upperBound ?? end
            let piece = UnsafeRawBufferPointer(rebasing: bytes[Int(position - offset)..<Int(next - offset)])
            if heldEnd > position {
                guard try equals(piece, at: position) else { return false }
            } else {
                try write(piece, at: position)
                try publish(position..<next, losses: before.losses)
            }
            position = next
        }
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        let isInMemory = try memory.withLock { memory throws(SystemError) in
            try memory?.write(bytes, at: offset)
            return memory != nil
        }
        if !isInMemory { try file.write(bytes, at: offset) }
    }

    /// Stores the first `count` bytes of another file.
    func copy(_ count: Int64, of other: PartialFile) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while done < count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(count - done))])
            let read = try other.read(at: done, into: piece)
            guard read > 0, try store(UnsafeRawBufferPointer(rebasing: piece[..<read]), at: done) else {
                throw .shortened
            }
            done += Int64(read)
        }
    }

    /// Tests whether bytes can be written in a range without stored bytes: quotas and limits do not appear in the free
    /// space.
    func probeSpace(in gap: ByteRange?) throws(SystemError) {
        try checkWritable()
        guard let gap else { return }
        let zeros = [UInt8](repeating: 0, count: min(gap.count, 64 << 10))
        try zeros.withUnsafeBufferPointer { zeros throws(SystemError) in
            try file.write(UnsafeRawBufferPointer(zeros), at: gap.lowerBound)
        }
    }

    private func publish(_ range: ByteRange, losses: Int) throws(SystemError) {
        let isThere = content.withLock { content in
            guard content.losses == losses else { return false }
            content.extents.insert(range)
            return true
        }
        // The device failed during the write, so these bytes may be among the lost ones.
        guard isThere else { throw SystemError("pwrite", code: EIO) }
        guard memory.withLock({ $0 == nil }), content.withLock({ $0.replacementNumber == nil }) else { return }
        try journal.withLock { journal throws(SystemError) in
            try journal.note(range.count, extents: extents)
        }
    }

    func equals(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        var count = 0
        while case let more = try read(at: offset + Int64(count), into: .init(rebasing: copy[count...])), more > 0 {
            count += more
        }
        guard count == bytes.count, let held = copy.baseAddress, let new = bytes.baseAddress else { return false }
        return memcmp(held, new, count) == 0
    }
}
