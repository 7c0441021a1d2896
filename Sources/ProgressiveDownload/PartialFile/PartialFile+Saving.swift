// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media
import Synchronization

/// Saving, renaming and removing partial files.
extension PartialFile {
    /// Writes the manifest of a version without stored bytes, not durably: losing it in a power failure costs
    /// nothing. Until this file has its name, the manifest there describes the version before.
    func record(_ version: StoredContent) throws(SystemError) {
        try checkWritable()
        guard Self.isNamed(location.partialPath, try file.status()) else { return }
        try manifest(version, extents: ByteRangeSet())
            .write(to: location.manifestPath, isDurable: false, calls: calls)
    }

    /// Makes the stored bytes durable against power loss: first the data, then the manifest that names them.
    func save(_ version: StoredContent) throws(SystemError) {
        try writeSafely(version, to: location.manifestPath)
    }

    func writeSafely(_ version: StoredContent, to path: String) throws(SystemError) {
        var extents = fileExtents
        try check()
        try synchronize()
        try hashes.withLock { hashes throws(SystemError) in
            // Blocks that were found to be damaged in the meantime have lost their hashes.
            extents.formIntersection(fileExtents)
            try hashes.cover(extents, of: file)
            content.withLock { $0.durable = extents }
        }
        try manifest(version, extents: extents).write(to: path, isDurable: true, calls: calls)
    }

    /// Moves the bytes in memory to the file, which stores all further bytes again. They leave the memory when they are
    /// durable. No byte may be stored meanwhile.
    func leaveMemory() throws(SystemError) {
        guard let pages = memory.withLock({ $0 }) else { return }
        try check()
        try pages.write(to: file)
        try synchronize()
        memory.withLock { $0 = nil }
    }

    /// Renames the file to its final name and removes an earlier version. Readers are not affected.
    /// - Parameters:
    ///   - total: The length of the file; it is not renamed if one of its bytes was lost in the meantime.
    ///   - conditions: The validators that the server sent for it.
    func finish(total: Int64, _ conditions: RequestConditions = RequestConditions()) throws(SystemError) {
        try check()
        // Removes bytes that were written only to test for free space.
        if try file.status().st_size > total { try file.truncate(to: total) }
        try synchronize()
        guard extents.contains(0..<total) else { throw SystemError("fdatasync", code: EIO) }
        try calls.rename(location.partialPath, to: location.path)
        try OpenFile(path: location.directory, flags: O_RDONLY | O_DIRECTORY, calls: calls).synchronizeAll()
        keep(DownloadOrigin(conditions, total: total))
        try calls.remove(location.manifestPath)
        try calls.remove(location.journalPath)
        try calls.remove(location.earlierPath)
        try calls.remove(location.earlierManifestPath)
    }

    /// Stores the validators, never before the file is renamed: outdated validators cost one download, but newer ones
    /// would hide one.
    private func keep(_ origin: DownloadOrigin?) {
        do throws(SystemError) {
            guard let origin else { return try calls.remove(location.originPath) }
            try OpenFile.replace(location.originPath, with: Array(origin.text.utf8), isDurable: false, calls: calls)
        } catch {
            // The file is complete without them: a newer version on the server is then detected by comparing bytes.
        }
    }

    /// Removes the file and the files beside it; processes that have it open can continue reading. An earlier version
    /// is kept.
    func discard() throws(SystemError) {
        try checkWritable()
        // Another process may have put its own file in the place of this one.
        guard Self.isNamed(location.partialPath, try file.status()) else { return }
        try calls.remove(location.indexPath)
        try calls.remove(location.manifestPath)
        try calls.remove(location.journalPath)
        try calls.remove(location.partialPath)
    }

    /// Releases the lock so that another process can continue the file. This process writes no more; the bytes stay
    /// readable.
    func releaseLock() {
        guard isLocked else { return }
        tidy()
        release()
    }

    func release() {
        isLocked = false
        file.unlock()
    }

    /// Locks the file again after its release. A file that was opened only for reading has no lock.
    /// - Returns: `false` if another process has locked, continued, shortened, renamed or removed it since then.
    func lockAgain() -> Bool {
        do throws(SystemError) {
            if writeError == nil {
                guard try file.lock() else { return false }
                try check()
                guard try !isContinued() else { throw SystemError.removed }
            }
            isLocked = true
            return true
        } catch {
            file.unlock()
            return false
        }
    }

    /// Returns true if another process stored further bytes in the file, or bytes of another version.
    private func isContinued() throws(SystemError) -> Bool {
        let manifest = try PartialFileManifest.load(from: location.manifestPath)
        if let manifest, manifest.stamp != stamp { return true }
        let subject = Self.subject(fileNumber, stamp, calls)
        let record = try PartialFileJournal.load(from: location.journalPath, about: subject)
        let extents = extents
        let ranges = (manifest?.stored.extents.ranges ?? []) + (record?.extents.ranges ?? [])
        return !ranges.allSatisfy { extents.contains($0) }
    }

    /// Removes the journal if all bytes are durable and it adds no information.
    private func tidy() {
        // The journal belongs to the file at that name.
        guard writeError == nil else { return }
        let extents = fileExtents
        let isSafe = content.withLock { extents == $0.durable }
        do throws(SystemError) {
            if isSafe { try journal.withLock { journal throws(SystemError) in try journal.forget() } }
        } catch {
            // The remaining journal is still correct.
        }
    }

    /// True if the name still refers to this file, and the file is at least as long as the stored content.
    var isIntact: Bool {
        do throws(SystemError) {
            try check()
            return true
        } catch {
            return false
        }
    }

    private func check() throws(SystemError) {
        try checkWritable()
        // Read before the length, because bytes may be stored in between.
        let end = fileExtents.upperBound ?? 0
        let status = try file.status()
        guard Self.isNamed(location.partialPath, status) else { throw .removed }
        guard status.st_size >= end else { throw .shortened }
    }

    /// Synchronizes the file. After a failure the kernel drops the unwritten bytes, and the next call would succeed
    /// without them. So bytes that are not durable are discarded and fetched again.
    private func synchronize() throws(SystemError) {
        do throws(SystemError) {
            try file.synchronize()
        } catch {
            let inMemory = memory.withLock { $0?.extents.ranges ?? [] }
            content.withLock { content in
                content.extents = content.durable
                for range in inMemory { content.extents.insert(range) }
                content.losses += 1
            }
            try journal.withLock { journal throws(SystemError) in try journal.forget() }
            // More disk space would not restore the bytes.
            throw SystemError(error.operation, code: EIO)
        }
    }

    private func manifest(_ version: StoredContent, extents: ByteRangeSet) -> PartialFileManifest {
        var stored = version
        stored.extents = extents
        return PartialFileManifest(
            url: url, stored: stored, fileNumber: fileNumber, stamp: stamp, hashes: hashes.withLock { $0 })
    }
}
