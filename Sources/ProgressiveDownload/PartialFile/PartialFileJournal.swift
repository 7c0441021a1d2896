// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A small file beside the partial file that records the bytes stored since the manifest was last written, so that a
/// crash of the process loses almost nothing.
///
/// Written data survives a crash of the process, but not of the system. So a record is written every 32 KiB without
/// fsync, and is valid only in the boot in which it was written, for the same file and version. Records alternate
/// between two slots, each with a checksum, so a torn record leaves the previous one intact.
struct PartialFileJournal: Sendable {
    static let grain = 32 << 10

    private let path: String
    private let calls: DiskCalls
    private let subject: Subject?
    private var file: OpenFile?
    private var sequence: UInt64
    private var unrecorded = 0

    /// The boot, file and version that a record describes.
    struct Subject: Sendable, Equatable {
        let boot: UInt64
        let fileNumber: UInt64
        /// The manifest's stamp.
        let stamp: UInt64
    }

    /// - Parameter subject: `nil` if the system does not report its boot; no record is written then.
    init(path: String, subject: Subject?, sequence: UInt64, calls: DiskCalls) {
        self.path = path
        self.subject = subject
        self.sequence = sequence
        self.calls = calls
    }

    /// Writes a record once enough bytes have accumulated.
    /// - Parameters:
    ///   - count: The number of bytes stored since the last call.
    ///   - extents: All stored bytes.
    mutating func note(_ count: Int, extents: @autoclosure () -> ByteRangeSet) throws(SystemError) {
        unrecorded += count
        guard unrecorded >= Self.grain, let subject else { return }
        sequence += 1
        let bytes = Record(sequence: sequence, subject: subject, extents: extents()).bytes
        let file = try opened()
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
            try file.write(UnsafeRawBufferPointer(bytes), at: Int64(sequence % 2) * Int64(Record.longest))
        }
        unrecorded = 0
    }

    /// Removes the journal.
    mutating func forget() throws(SystemError) {
        file = nil
        try calls.remove(path)
    }

    private mutating func opened() throws(SystemError) -> OpenFile {
        if let file { return file }
        let opened = try OpenFile(path: path, flags: O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        file = opened
        return opened
    }

    /// Returns the newest record at `path` that describes `subject`.
    static func load(from path: String, about subject: Subject?) throws(SystemError) -> Record? {
        guard let subject, let bytes = try OpenFile.contents(of: path, atMost: 2 * Record.longest) else { return nil }
        let records = [bytes.prefix(Record.longest), bytes.dropFirst(Record.longest)].compactMap(Record.init(bytes:))
        return records.filter { $0.subject == subject }.max { $0.sequence < $1.sequence }
    }
}

extension PartialFileJournal {
    /// A record of words in the machine's byte order, because no other machine reads them: checksum, sequence, boot,
    /// file number, stamp, the number of extents, then the bounds of each.
    struct Record: Sendable, Equatable {
        /// One page.
        static let longest = 4096
        private static let headWords = 6
        private static let mostExtents = (longest / 8 - headWords) / 2

        let sequence: UInt64
        let subject: Subject
        let extents: ByteRangeSet

        /// The encoded record. Extents that do not fit are omitted, and their bytes are fetched again.
        var bytes: [UInt8] {
            let ranges = extents.ranges.prefix(Self.mostExtents)
            let head = [sequence, subject.boot, subject.fileNumber, subject.stamp, UInt64(ranges.count)]
            let words = head + ranges.flatMap { [UInt64($0.lowerBound), UInt64($0.upperBound)] }
            let checksum = words.withUnsafeBytes(ContentHash.value(of:))
            return ([checksum] + words).withUnsafeBytes(Array.init)
        }

        init(sequence: UInt64, subject: Subject, extents: ByteRangeSet) {
            (self.sequence, self.subject, self.extents) = (sequence, subject, extents)
        }

        /// Returns `nil` unless the checksum is correct.
        init?(bytes: ArraySlice<UInt8>) {
            let words = bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count & ~7, by: 8).map {
                    bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
                }
            }
            guard words.count >= Self.headWords, words[5] <= UInt64(Self.mostExtents) else { return nil }
            let end = Self.headWords + 2 * Int(words[5])
            guard words.count >= end, words[0] == words[1..<end].withUnsafeBytes(ContentHash.value(of:)) else {
                return nil
            }
            var extents = ByteRangeSet()
            for index in stride(from: Self.headWords, to: end, by: 2) {
                let (first, end) = (Int64(clamping: words[index]), Int64(clamping: words[index + 1]))
                guard first >= extents.upperBound ?? 0, end > first else { return nil }
                extents.insert(first..<end)
            }
            let subject = Subject(boot: words[2], fileNumber: words[3], stamp: words[4])
            self.init(sequence: words[1], subject: subject, extents: extents)
        }
    }
}
