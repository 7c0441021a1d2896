// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("PartialFileJournal")
struct PartialFileJournalTests {
    private let directory = ScratchDirectory()
    private let content = episode(1 << 20)
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }
    private let version = StoredContent(entity: Representation(validator: .strongETag("\"1\""), total: 1 << 20))
    private static let subject = PartialFileJournal.Subject(boot: 1, fileNumber: 2, stamp: 3)

    private func open(_ calls: DiskCalls = DiskCalls(boot: { 1 })) throws(MediaFailure) -> (PartialFile, StoredContent)
    {
        try PartialFile.open(location, url: "http://a/b.mp3", calls: calls)
    }

    private func store(_ range: Range<Int>, in file: PartialFile, by size: Int = 16384) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
            let piece = content[start..<min(start + size, range.upperBound)]
            #expect(try piece.withUnsafeBytes { try file.store($0, at: Int64(start)) })
        }
    }

    /// Simulates a process that saved a manifest, stored more bytes and was killed.
    private func kill(saved: Range<Int> = 0..<1000, stored: Range<Int> = 1000..<300_000) throws {
        let (file, _) = try open()
        try file.record(version)
        try store(saved, in: file)
        if !saved.isEmpty { try file.save(version) }
        try store(stored, in: file)
    }

    @Test("A killed process loses less than one journal step and one delivery", arguments: [0..<0, 0..<1000])
    func kill(saved: Range<Int>) throws {
        try kill(saved: saved, stored: saved.upperBound..<300_000)
        let (file, stored) = try open()
        #expect(stored.extents.ranges.count == 1)
        #expect((300_000 - 49_152...300_000).contains(stored.extents.count))
        var bytes = [UInt8](repeating: 0, count: Int(stored.extents.count))
        #expect(try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) } == bytes.count)
        let isEqual = bytes[...] == content[..<bytes.count]
        #expect(isEqual)
        #expect(stored.entity == version.entity)
    }

    @Test("The journal lists several islands, through several kills")
    func kills() throws {
        try kill(stored: 1000..<100_000)
        var held = try open().1.extents.count
        for start in [400_000, 200_000, 700_000] {
            try store(start..<start + 100_000, in: open().0)
            let now = try open().1.extents.count
            #expect(now >= held + 100_000 - 49_152)
            held = now
        }
        #expect(try open().1.extents.ranges.count == 4)
    }

    @Test("After a reboot only the manifest counts")
    func reboot() throws {
        try kill()
        #expect(try open(DiskCalls(boot: { 2 })).1.extents.ranges == [0..<1000])
    }

    @Test("Without a boot identifier no journal is written")
    func noBoot() throws {
        let (file, _) = try open(DiskCalls(boot: { nil }))
        try store(0..<100_000, in: file)
        try file.save(version)
        #expect(directory.fileNames == ["e.mp3.partial", "e.mp3.partial.json"])
        #expect(DiskCalls().boot() != nil && DiskCalls().boot() == DiskCalls().boot())
    }

    @Test("A journal is valid only for its own version, and never beyond the end of the file or in a hole of it")
    func strangers() throws {
        try kill()
        let text = try directory.existing("e.mp3.partial.json")
        let manifest = try #require(PartialFileManifest(text: text))
        let other = PartialFileManifest(
            url: manifest.url, stored: manifest.stored, fileNumber: manifest.fileNumber, stamp: manifest.stamp &+ 1,
            hashes: manifest.hashes)
        try directory.write(other.text.utf8, to: "e.mp3.partial.json")
        #expect(try open().1.extents.ranges == [0..<1000])
        try directory.write(text, to: "e.mp3.partial.json")
        #expect(try open().1.extents.count > 200_000)
        // The state that a file system leaves when it lost the last writes.
        truncate(location.partialPath, 1000)
        truncate(location.partialPath, 1 << 20)
        #expect(try open().1.extents.ranges == [0..<1000])
    }

    @Test("A record that is torn or changed at any byte is invalid, and the record before it counts")
    func torn() throws {
        let record = PartialFileJournal.Record(
            sequence: 9, subject: Self.subject, extents: ByteRangeSet([0..<5, 9..<70_000]))
        #expect(PartialFileJournal.Record(bytes: record.bytes[...]) == record)
        for index in record.bytes.indices {
            var bytes = record.bytes
            bytes[index] ^= 0x10
            #expect(PartialFileJournal.Record(bytes: bytes[...]) == nil)
            #expect(PartialFileJournal.Record(bytes: record.bytes[..<index]) == nil)
        }
        try kill()
        let whole = try open().1.extents
        for slot in 0...1 {
            var bytes = try directory.existing("e.mp3.partial.journal")
            bytes[slot * 4096 + 40] ^= 1
            try directory.write(bytes, to: "e.mp3.partial.journal")
            let left = try open().1.extents
            #expect(whole.contains(left.ranges[0]) && left.count >= 1000)
        }
        #expect(try open().1.extents.ranges == [0..<1000])
    }

    @Test("If there are too many islands, the first ones are listed")
    func manyIslands() throws {
        let extents = ByteRangeSet((0..<400).map { Int64($0) * 10..<Int64($0) * 10 + 5 })
        let record = PartialFileJournal.Record(sequence: 1, subject: Self.subject, extents: extents)
        #expect(record.bytes.count <= PartialFileJournal.Record.longest)
        let read = try #require(PartialFileJournal.Record(bytes: record.bytes[...]))
        #expect(read.extents.ranges[...] == extents.ranges.prefix(read.extents.ranges.count))
        #expect(read.extents.ranges.count > 200)
    }

    @Test("Bytes that a failed sync covered stay invalid, in this process and after a kill")
    func failedSync() throws {
        let isBroken = Atomic<Bool>(false)
        do {
            let calls = DiskCalls(
                synchronize: { descriptor in
                    guard isBroken.load(ordering: .relaxed) else { return fdatasync(descriptor) }
                    errno = EIO
                    return -1
                }, boot: { 1 })
            let (file, _) = try open(calls)
            try store(0..<100_000, in: file)
            try file.save(version)
            try store(100_000..<300_000, in: file)
            isBroken.store(true, ordering: .relaxed)
            #expect(throws: SystemError("fdatasync", code: EIO)) { try file.save(version) }
            #expect(file.extents.ranges == [0..<100_000])
            isBroken.store(false, ordering: .relaxed)
            try file.save(version)
            #expect(file.extents.ranges == [0..<100_000])
        }
        #expect(try open().1.extents.ranges == [0..<100_000])
    }
}
