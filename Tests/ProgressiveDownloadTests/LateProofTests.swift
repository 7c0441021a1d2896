// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("Verification of a large file from an earlier run", .timeLimit(.minutes(TimeLimit.factor)))
struct LateProofTests {
    private let directory = ScratchDirectory()
    private static let held = 20 << 20
    private static let content = Array("ID3".utf8) + [UInt8](repeating: 7, count: held + 100_000)
    private let version = StoredContent(
        entity: Representation(validator: .strongETag("\"1\""), total: Int64(content.count)))
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }
    private let damaged: ByteRange = 19 << 20..<19 << 20 + BlockHashes.blockSize

    /// Stores 20 MiB and then changes one byte of them.
    private func prepare() throws {
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        #expect(try Self.content[..<Self.held].withUnsafeBytes { try file.store($0, at: 0) })
        try file.save(version)
        file.releaseLock()
        let changed = try OpenFile(path: location.partialPath, flags: O_WRONLY)
        try [UInt8(9)].withUnsafeBytes { try changed.write($0, at: damaged.lowerBound + 5) }
    }

    @Test("Blocks are verified when they are read, and a damaged block is not read")
    func whenRead() throws {
        try prepare()
        let (file, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        #expect(stored.extents.ranges == [0..<Int64(Self.held)])
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = { (offset: Int64) in try bytes.withUnsafeMutableBytes { try file.read(at: offset, into: $0) } }
        #expect(try count(18 << 20) == 1 << 20)
        #expect(try count(damaged.lowerBound - 100) == 100)
        #expect(try count(damaged.lowerBound) == 0)
        #expect(try count(damaged.upperBound) > 0)
        #expect(!file.extents.contains(damaged) && file.removeLostRanges() == [damaged])
    }

    @Test("Bytes that arrive again are compared with verified bytes only: damage does not count as another version")
    func whenStored() throws {
        try prepare()
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let slice = Self.content[Int(damaged.lowerBound) - 10..<Int(damaged.upperBound) + 10]
        #expect(try slice.withUnsafeBytes { try file.store($0, at: damaged.lowerBound - 10) })
        #expect(file.extents.contains(damaged))
    }

    @Test("Damage that is found while the manifest is written does not get a valid hash")
    func whileSaved() throws {
        try prepare()
        let opened = Mutex<PartialFile?>(nil)
        var calls = DiskCalls()
        calls.synchronize = { descriptor in
            do throws(SystemError) {
                while let file = opened.withLock({ $0 }), try file.proveNext() {}
            } catch {
                return -1
            }
            return fdatasync(descriptor)
        }
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3", calls: calls)
        opened.withLock { $0 = file }
        try file.save(version)
        opened.withLock { $0 = nil }
        file.release()
        #expect(file.removeLostRanges() == [damaged])
        let (again, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        #expect(!stored.extents.contains(damaged) && stored.extents.count == Int64(Self.held) - BlockHashes.blockSize)
        again.release()
    }

    @Test("A file that can only be read finds damage also after its release and a retry", arguments: [true, false])
    func whenReadAgain(isReadOnly: Bool) throws {
        try prepare()
        let error = SystemError("open", code: EROFS)
        let (file, _) =
            try isReadOnly
            ? PartialFile.openUnwritable(location, url: "http://a/b.mp3", because: error, calls: DiskCalls())
            : PartialFile.open(location, url: "http://a/b.mp3")
        file.releaseLock()
        let isLocked = file.lockAgain()
        while try file.proveNext() {}
        let lost = file.removeLostRanges()
        #expect(isLocked && lost == [damaged])
    }

    @Test("A released file is not locked again after another one got its name, or while another process has it")
    func lockedElsewhere() throws {
        try prepare()
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        file.releaseLock()
        let (other, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let isLockedTwice = file.lockAgain()
        other.releaseLock()
        #expect(rename(location.partialPath, location.path) == 0)
        let isLockedUnnamed = file.lockAgain()
        let complete = try OpenFile(path: location.path, flags: O_RDONLY)
        let isFree = try complete.lock()
        #expect(!isLockedTwice && !isLockedUnnamed && isFree)
    }

    @Test("A released file is not locked again after another process stored more of it", arguments: [true, false])
    func continuedElsewhere(isSaved: Bool) throws {
        try prepare()
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        file.releaseLock()
        let (other, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let isStored = try Self.content[Self.held...].withUnsafeBytes { try other.store($0, at: Int64(Self.held)) }
        if isSaved { try other.save(version) }
        other.releaseLock()
        let isLocked = file.lockAgain()
        let (again, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        again.release()
        #expect(isStored && !isLocked && stored.extents.upperBound == Int64(Self.content.count))
    }

    @Test("A released file is not locked again after another process began another version in it")
    func otherVersionElsewhere() throws {
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        file.overflow(because: SystemError("pwrite", code: ENOSPC))
        let isInMemory = try Self.content[..<1000].withUnsafeBytes { try file.store($0, at: 0) }
        file.releaseLock()
        let (other, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let isStored = try Self.content[..<500].withUnsafeBytes { try other.store($0, at: 0) }
        try other.save(version)
        other.releaseLock()
        let isLocked = file.lockAgain()
        #expect(isInMemory && isStored && !isLocked)
    }

    @Test("A released file that another program shortened is not locked again")
    func shortenedMeanwhile() throws {
        try prepare()
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        file.releaseLock()
        let isShortened = truncate(location.partialPath, 1 << 20) == 0
        let isLocked = file.lockAgain()
        #expect(isShortened && !isLocked)
    }

    @Test("The remaining blocks are verified in the background")
    func inBackground() throws {
        try prepare()
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        while try file.proveNext() {}
        #expect(file.removeLostRanges() == [damaged])
        file.release()
        #expect(try PartialFile.open(location, url: "http://a/b.mp3").1.extents.ranges.count == 1, "nothing was saved")
    }

    @Test("A file with reported damage is not given its final name, and this is not a disk error")
    func reportedAlready() throws {
        try prepare()
        let fixture = DownloadFixture(in: directory)
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        while try file.proveNext() {}
        #expect(file.removeLostRanges() == [damaged])
        try fixture.download.finish(file, version, total: Int64(Self.content.count), RequestConditions())
        #expect(!directory.fileNames.contains("e.mp3"))
    }

    @Test("A file of uncertain length is verified before it is released, so that no reader waits for a damaged block")
    func uncertainLength() async throws {
        try prepare()
        let fixture = DownloadFixture(in: directory)
        let (file, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        fixture.download.core.withLock { core in
            core.file = file
            core.machine.move(to: .unverified(stored))
        }
        fixture.download.handle(.needed(from: damaged.lowerBound, limit: nil))
        let failed = DownloadProgress.Condition.failed(DownloadStateMachine.damaged)
        #expect(await eventually { fixture.source.downloadProgress.condition == failed && !file.isLocked })
        #expect(!file.extents.contains(damaged))
    }

    @Test("A stop interrupts the verification of a completed file, and the next run completes it")
    func interrupted() async throws {
        let content = Array(Self.content[..<Self.held])
        var version = version
        version.entity.total = Int64(Self.held)
        let (file, _) = try PartialFile.open(location, url: "http://a/b.mp3")
        let (most, rest) = (content.dropLast(1000), content.suffix(1000))
        #expect(try most.withUnsafeBytes { try file.store($0, at: 0) })
        try file.save(version)
        file.releaseLock()
        // The last bytes arrive before the stored ones are verified.
        let (opened, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        #expect(try rest.withUnsafeBytes { try opened.store($0, at: Int64(most.count)) })
        let stopped = DownloadFixture(in: directory)
        stopped.download.isCancelled.store(true, ordering: .relaxed)
        try stopped.download.finish(opened, stored, total: Int64(Self.held), RequestConditions())
        #expect(!directory.fileNames.contains("e.mp3") && !opened.isLocked)

        let next = DownloadFixture(in: directory)
        next.start()
        next.source.waitForFile()

        let isEqual = directory.read("e.mp3") == content
        #expect(isEqual && directory.fileNames == ["e.mp3"] && next.transport.requests.isEmpty)
    }

    @Test("A stop interrupts the verification of a copied file, whose bytes stay")
    func interruptedCopy() async throws {
        try prepare()
        try directory.write(directory.read("e.mp3.partial"), to: "copy")
        #expect(rename(directory.path("copy"), location.partialPath) == 0)
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        var calls = DiskCalls()
        calls.lock = { descriptor, operation in
            stop.withLock { $0 }?()
            return flock(descriptor, operation)
        }
        let stopped = DownloadFixture(in: directory, calls: calls)
        let download = stopped.download
        stop.withLock { $0 = { download.isCancelled.store(true, ordering: .relaxed) } }
        stopped.start()
        stop.withLock { $0 = nil }
        #expect(stopped.transport.requests.isEmpty)

        let (file, stored) = try PartialFile.open(location, url: "http://a/b.mp3")
        #expect(stored.extents.count == Int64(Self.held) - BlockHashes.blockSize)
        file.release()
    }

    @Test("A damaged block is downloaded again, and the file is complete")
    func fetchedAgain() async throws {
        try prepare()
        let fixture = DownloadFixture(
            in: directory, ScriptedTransport.serve(Self.content), ScriptedTransport.serve(Self.content))
        fixture.start()
        #expect(await eventually { fixture.directory.fileNames == ["e.mp3"] })
        fixture.download.cancel()
        let isEqual = directory.read("e.mp3") == Self.content
        #expect(isEqual)
        let asked = fixture.transport.requests.compactMap(\.range)
        #expect(asked.allSatisfy { $0 > 18 << 20 }, "only the damaged block and the missing end are requested")
    }
}

@Suite("A slow disk", .timeLimit(.minutes(TimeLimit.factor)))
struct SlowDiskTests {
    @Test("One or two new versions arrive while the device still writes the bytes of the first one", arguments: [1, 2])
    func replaced(count: Int) async {
        let gate = Gate()
        var calls = DiskCalls()
        calls.synchronize = { descriptor in
            gate.pass()
            return fdatasync(descriptor)
        }
        let versions = (1...3).map { episode(310_000 - 10_000 * $0, seed: $0) }
        let last = versions[count]
        let cut = [200_000, 100_000].prefix(count).enumerated().map { number, cut in
            ScriptedTransport.serve(versions[number], etag: "\"\(number + 1)\"", cut: cut)
        }
        let whole = ScriptedTransport.serve(last, etag: "\"\(count + 1)\"")
        let fixture = DownloadFixture(calls: calls, cut + [whole])
        fixture.start()
        #expect(await eventually { fixture.download.core.withLock({ $0.machine.condition }) == .complete })
        gate.open()
        fixture.download.cancel()
        let isEqual = fixture.directory.read("e.mp3") == last
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
    }
}
