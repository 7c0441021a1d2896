// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("PartialFile changed by another program")
struct DamagedFileTests {
    private let directory = ScratchDirectory()
    private let content = episode(1_000_000)
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }
    private let version = StoredContent(entity: Representation(validator: .strongETag("\"1\""), total: 1_000_000))

    private func open(boot: UInt64 = 1) throws(MediaFailure) -> (PartialFile, StoredContent) {
        try PartialFile.open(location, url: "http://a/b.mp3", calls: DiskCalls(boot: { boot }))
    }

    private func store(_ range: Range<Int>, in file: PartialFile) throws -> Bool {
        try content[range].withUnsafeBytes { try file.store($0, at: Int64(range.lowerBound)) }
    }

    /// Stores two extents and saves the manifest.
    private func prepare() throws {
        let (file, _) = try open()
        #expect(try store(0..<600_000, in: file))
        #expect(try store(700_000..<710_000, in: file))
        try file.save(version)
    }

    private func overwrite(_ bytes: [UInt8], at offset: Int) throws {
        let file = try OpenFile(path: location.partialPath, flags: O_WRONLY)
        try bytes.withUnsafeBytes { try file.write($0, at: Int64(offset)) }
    }

    @Test(
        "A changed byte invalidates its block and nothing else",
        arguments: [0, 4095, 262_143, 262_144, 599_999, 705_000])
    func changedByte(offset: Int) throws {
        try prepare()
        try overwrite([content[offset] ^ 1], at: offset)
        let lost = try #require(
            BlockHashes.pieces(of: ByteRangeSet([0..<600_000, 700_000..<710_000])).first { $0.contains(Int64(offset)) })
        var expected = ByteRangeSet([0..<600_000, 700_000..<710_000])
        expected.subtract(lost)
        #expect(try open().1.extents == expected)
        // The journal does not restore the block; once downloaded again, it is valid again.
        let (file, stored) = try open()
        #expect(stored.extents == expected)
        #expect(try store(Int(lost.lowerBound)..<Int(lost.upperBound), in: file))
        try file.save(version)
        file.release()
        #expect(try open().1.extents.ranges == [0..<600_000, 700_000..<710_000])
    }

    @Test("A truncated file keeps its remaining whole blocks", arguments: [0, 1, 262_143, 262_144, 600_000])
    func truncated(length: Int) throws {
        try prepare()
        truncate(location.partialPath, off_t(length))
        #expect(try open().1.extents.count == Int64(length == 600_000 ? length : length / 262_144 * 262_144))
    }

    @Test("Zeros that a file system left in place of lost bytes are not accepted")
    func zeroed() throws {
        try prepare()
        truncate(location.partialPath, 300_000)
        truncate(location.partialPath, 710_000)
        #expect(try open(boot: 2).1.extents.ranges == [0..<262_144])
    }

    @Test("If the open file is truncated, reads, stores and saves fail instead of returning zeros")
    func truncatedWhileOpen() throws {
        let (file, _) = try open()
        #expect(try store(0..<600_000, in: file))
        truncate(location.partialPath, 1000)
        var buffer = [UInt8](repeating: 0, count: 2000)
        #expect(try buffer.withUnsafeMutableBytes { try file.read(at: 500, into: $0) } == 500)
        #expect(throws: SystemError.shortened) {
            try buffer.withUnsafeMutableBytes { try file.read(at: 1000, into: $0) }
        }
        #expect(throws: SystemError.shortened) { try store(600_000..<600_100, in: file) }
        #expect(throws: SystemError.shortened) { try file.save(version) }
        #expect(throws: SystemError.shortened) { try file.finish(total: file.extents.upperBound ?? 0) }
        #expect(!file.isIntact && SystemError.shortened.whileTransferring.reason.contains("truncated"))
    }

    @Test("An open file that was removed or replaced stays readable but is neither saved nor renamed")
    func removedWhileOpen() throws {
        let (file, _) = try open()
        #expect(try store(0..<1000, in: file))
        unlink(location.partialPath)
        try directory.write([9], to: "e.mp3.partial")
        #expect(throws: SystemError.removed) { try file.save(version) }
        #expect(throws: SystemError.removed) { try file.finish(total: file.extents.upperBound ?? 0) }
        #expect(location.presence == .partial && !file.isIntact)
        var buffer = [UInt8](repeating: 0, count: 2000)
        #expect(try buffer.withUnsafeMutableBytes { try file.read(at: 0, into: $0) } == 1000)
    }

    @Test("The pieces split at block boundaries and cover every byte")
    func pieces() {
        let extents = ByteRangeSet([5..<10, 262_140..<600_000])
        let pieces = BlockHashes.pieces(of: extents)
        #expect(pieces == [5..<10, 262_140..<262_144, 262_144..<524_288, 524_288..<600_000])
        #expect(ByteRangeSet(pieces) == extents)
    }
}
