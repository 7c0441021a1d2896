// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("The earlier version of an episode")
struct EarlierVersionTests {
    private let directory = ScratchDirectory()
    private let url = "http://a/b.mp3"
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }

    private static let contents = (0...4).map { episode(400_000, seed: $0) }

    private static func version(_ number: Int) -> StoredContent {
        StoredContent(entity: Representation(validator: .strongETag("\"\(number)\""), total: 400_000))
    }

    private func open(_ calls: DiskCalls = DiskCalls()) throws(MediaFailure) -> (PartialFile, StoredContent) {
        try PartialFile.open(location, url: url, calls: calls)
    }

    private func earlier(than stored: StoredContent) throws -> (PartialFile, StoredContent)? {
        try PartialFile.earlier(location, url: url, longerThan: stored, calls: DiskCalls())
    }

    /// Stores and saves the first `count` bytes of version `number` in `file`.
    private func fill(_ file: PartialFile, _ number: Int, _ count: Int) throws {
        try file.record(Self.version(number))
        #expect(try Self.contents[number][..<count].withUnsafeBytes { try file.store($0, at: 0) })
        try file.save(Self.version(number))
    }

    /// Returns true if every stored byte belongs to the version that the validator names.
    private func isPure(_ file: PartialFile, _ stored: StoredContent) throws -> Bool {
        let number = try #require((1...4).first { Self.version($0).entity == stored.entity })
        var bytes = [UInt8](repeating: 0, count: Int(stored.lead))
        _ = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return memcmp(bytes, Self.contents[number], bytes.count) == 0
    }

    @Test("While a process replaces a version, no other process takes over the download or removes the new file")
    func replacing() throws {
        let isRefused = Mutex(false)
        var calls = DiskCalls()
        calls.rename = { [location, url] source, target in
            let code = Glibc.rename(source, target)
            guard target == location.earlierPath else { return code }
            // The old file has lost its name, and the new one has none yet.
            isRefused.withLock { isRefused in
                do throws(MediaFailure) {
                    _ = try PartialFile.open(location, url: url)
                } catch {
                    isRefused = error == DownloadLocation.busy
                }
            }
            return code
        }
        let (old, _) = try open(calls)
        try fill(old, 1, 300_000)
        let new = try old.replacement()
        #expect(isRefused.withLock { $0 })
        try fill(new, 2, 100_000)
        new.releaseLock()
        let (again, stored) = try open()
        #expect(stored.lead == 100_000)
        #expect(try isPure(again, stored))
    }

    @Test("A new version without a name leaves the version before with its manifest, and the next one fails alike")
    func unnamed() throws {
        var calls = DiskCalls()
        calls.open = { path, flags, mode in
            guard path.hasSuffix(".earlier.json.new") else { return Glibc.open(path, flags, mode) }
            errno = ENOSPC
            return -1
        }
        let (old, _) = try open(calls)
        try fill(old, 1, 300_000)
        let new = try old.beginReplacement()
        #expect(throws: SystemError("open", code: ENOSPC)) { try old.name(new) }
        try new.record(Self.version(2))
        let third = try new.beginReplacement()
        #expect(throws: SystemError("open", code: ENOSPC)) { try new.name(third) }
        old.release()
        let (again, stored) = try open()
        #expect(stored.entity == Self.version(1).entity && stored.lead == 300_000)
        #expect(try isPure(again, stored))
    }

    @Test("A file whose name belongs to another file by now discards nothing")
    func discardedLate() throws {
        let (file, _) = try open()
        let moved = location.partialPath + ".moved"
        #expect(Glibc.rename(location.partialPath, moved) == 0)
        let (other, _) = try open()
        try fill(other, 1, 1000)
        try file.discard()
        #expect(directory.fileNames.contains("e.mp3.partial"))
        #expect(unlink(moved) == 0)
    }

    @Test("A replaced version stays beside the new one until the new one is complete")
    func kept() throws {
        let (old, _) = try open()
        try fill(old, 1, 300_000)
        let new = try old.replacement()
        try fill(new, 2, 100_000)
        #expect(directory.fileNames == [
            "e.mp3.earlier", "e.mp3.earlier.json", "e.mp3.partial", "e.mp3.partial.journal", "e.mp3.partial.json",
        ])
        let held = try #require(try earlier(than: Self.version(2)))
        #expect(held.1.lead == 300_000)
        #expect(try isPure(held.0, held.1))
        #expect(try Self.contents[2].withUnsafeBytes { try new.store($0, at: 0) })
        #expect(try earlier(than: StoredContent(extents: new.extents)) == nil)
        try new.finish(total: new.extents.upperBound ?? 0)
        #expect(directory.fileNames == ["e.mp3"])
    }

    @Test("Of several earlier versions the one with the most leading bytes is kept")
    func best() throws {
        let (first, _) = try open()
        try fill(first, 1, 100_000)
        let second = try first.replacement()
        try fill(second, 2, 300_000)
        let third = try second.replacement()
        try fill(third, 3, 200_000)
        let fourth = try third.replacement()
        try fill(fourth, 4, 10_000)
        let (file, stored) = try #require(try earlier(than: Self.version(4)))
        #expect(stored.entity == Self.version(2).entity && stored.lead == 300_000)
        #expect(try isPure(file, stored))
    }

    @Test("If no byte of the new version arrives, the earlier version is resumed")
    func restored() throws {
        let (old, _) = try open()
        try fill(old, 1, 300_000)
        try old.replacement().discard()
        #expect(location.presence == .partial)
        let (file, stored) = try open()
        #expect(stored.entity == Self.version(1).entity && stored.lead == 300_000)
        #expect(try isPure(file, stored))
        #expect(directory.fileNames == ["e.mp3.partial", "e.mp3.partial.json"])
    }

    @Test("The earlier version is found under another address, and its damaged blocks are dropped")
    func damaged() throws {
        let (old, _) = try open()
        try fill(old, 1, 300_000)
        let new = try old.replacement()
        try fill(new, 2, 10)
        let other = try PartialFile.earlier(
            location, url: "http://x", longerThan: Self.version(2), calls: DiskCalls())
        #expect(other?.1.lead == 300_000)
        truncate(location.earlierPath, 262_144)
        #expect(try earlier(than: Self.version(2))?.1.lead == 262_144)
    }

    @Test("In a copied folder every byte that matches its hash is valid, and no other")
    func copied() throws {
        let (old, _) = try open()
        try fill(old, 1, 300_000)
        let new = try old.replacement()
        try fill(new, 2, 10)
        let bytes = try directory.existing("e.mp3.earlier")
        let replace = { (copy: [UInt8]) in
            try directory.write(copy, to: "e.mp3.earlier.copy")
            rename(location.earlierPath + ".copy", location.earlierPath)
        }
        try replace(bytes)
        #expect(try earlier(than: Self.version(2))?.1.lead == 300_000)
        try replace([0] + bytes)
        #expect(try earlier(than: Self.version(2)) == nil)
    }

    @Test("A crash at any step of a replacement keeps the stored bytes, all of one version")
    func everyStep() throws {
        for limit in 0..<40 {
            let directory = ScratchDirectory()
            let location = DownloadLocation(directory: directory.path, name: "e.mp3")
            let disk = FailingDisk()
            do {
                let (old, _) = try PartialFile.open(location, url: url, calls: disk.calls)
                try fill(old, 1, 100_000)
                disk.dies(after: limit)
                let new = try old.replacement()
                try new.record(Self.version(2))
            } catch let error as SystemError {
                #expect(error.code == EIO)
            }
            // The next process also dies, during its repairs.
            disk.dies(after: limit % 7)
            do { _ = try PartialFile.open(location, url: url, calls: disk.calls) } catch {}
            let (file, stored) = try PartialFile.open(location, url: url)
            #expect(stored.lead == 100_000, "\(limit): \(directory.fileNames)")
            #expect(try isPure(file, stored))
        }
    }

    @Test("A crash at any step of the renaming keeps every byte under one of the two names")
    func everyStepOfFinishing() throws {
        for limit in 0..<12 {
            let directory = ScratchDirectory()
            let location = DownloadLocation(directory: directory.path, name: "e.mp3")
            let disk = FailingDisk()
            do {
                let (old, _) = try PartialFile.open(location, url: url, calls: disk.calls)
                try fill(old, 1, 100_000)
                let new = try old.replacement()
                try fill(new, 2, 400_000)
                disk.dies(after: limit)
                try new.finish(total: new.extents.upperBound ?? 0)
            } catch let error as SystemError {
                #expect(error.code == EIO)
            }
            if location.presence == .complete {
                let isWhole = directory.read("e.mp3") == Self.contents[2]
                #expect(isWhole)
            } else {
                let (file, stored) = try PartialFile.open(location, url: url)
                #expect(stored.isWhole)
                #expect(try isPure(file, stored))
            }
        }
    }
}

/// A disk that fails every modifying call from a given one on, as if the process had ended there.
final class FailingDisk: Sendable {
    private let left = Atomic<Int>(.max)

    func dies(after count: Int) { left.store(count, ordering: .relaxed) }

    private func isAlive() -> Bool {
        let alive = left.subtract(1, ordering: .relaxed).newValue >= 0
        if !alive { errno = EIO }
        return alive
    }

    var calls: DiskCalls {
        let alive = { @Sendable [self] in isAlive() }
        return DiskCalls(
            open: { path, flags, mode in flags & O_CREAT == 0 || alive() ? Glibc.open(path, flags, mode) : -1 },
            write: { alive() ? pwrite($0, $1, $2, $3) : -1 },
            truncate: { alive() ? ftruncate($0, $1) : -1 },
            rename: { alive() ? Glibc.rename($0, $1) : -1 },
            unlink: { alive() ? Glibc.unlink($0) : -1 })
    }
}
