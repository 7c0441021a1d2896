// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media
import Synchronization

/// Making safe, naming, removing.
extension PartialFile {
    /// Writes the manifest of a version of which no byte is held. Losing it with the power costs nothing.
    func record(_ version: Holding) throws(SystemError) {
        try manifest(version, extents: ByteRangeSet())
            .write(to: location.manifestPath, isDurable: false, calls: calls)
    }

    /// Makes the bytes stored so far outlive a loss of power: first the data, then the manifest that names them.
    func save(_ version: Holding) throws(SystemError) {
        try writeSafely(version, to: location.manifestPath)
    }

    func writeSafely(_ version: Holding, to path: String) throws(SystemError) {
        let extents = fileExtents
        try check()
        try synchronize()
        try hashes.withLock { hashes throws(SystemError) in try hashes.cover(extents, of: file) }
        content.withLock { $0.durable = extents }
        try manifest(version, extents: extents).write(to: path, isDurable: true, calls: calls)
    }

    /// Gives the file its final name; an earlier version is of no more use. Readers notice nothing.
    /// - Parameters:
    ///   - total: its length; a file of which a byte was given up meanwhile is not named.
    ///   - conditions: what the server said of it.
    func finish(total: Int64, _ conditions: RequestConditions = RequestConditions()) throws(SystemError) {
        try check()
        // What was written to see whether there is room.
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

    /// Never before the file has its name: validators that are too old cost a download, too new ones would hide one.
    private func keep(_ origin: DownloadOrigin?) {
        do throws(SystemError) {
            guard let origin else { return try calls.remove(location.originPath) }
            try OpenFile.replace(location.originPath, with: Array(origin.text.utf8), isDurable: false, calls: calls)
        } catch {
            // The file is whole without it: a server that is asked for a newer one is compared byte for byte.
        }
    }

    /// Takes the file and what stands beside it away; who has it open can read on. An earlier version stays.
    func discard() throws(SystemError) {
        try calls.remove(location.indexPath)
        try calls.remove(location.manifestPath)
        try calls.remove(location.journalPath)
        try calls.remove(location.partialPath)
    }

    /// Lets another process take the file, of which nothing more is written here; its bytes stay readable.
    func letGo() {
        guard isLocked else { return }
        tidy()
        release()
    }

    func release() {
        isLocked = false
        file.unlock()
    }

    /// Takes the journal away where all bytes are durable, and it has nothing to add.
    private func tidy() {
        let extents = fileExtents
        let isSafe = content.withLock { extents == $0.durable }
        do throws(SystemError) {
            if isSafe { try journal.withLock { journal throws(SystemError) in try journal.forget() } }
        } catch {
            // What it says is true all the same.
        }
    }

    /// Whether it is still the file of that name, and as long as what is held of it.
    var isIntact: Bool {
        do throws(SystemError) {
            try check()
            return true
        } catch {
            return false
        }
    }

    private func check() throws(SystemError) {
        // Taken before the length, for bytes may be stored in between.
        let end = fileExtents.upperBound ?? 0
        let status = try file.status()
        guard Self.isNamed(location.partialPath, status) else { throw .removed }
        guard status.st_size >= end else { throw .shortened }
    }

    /// A failure is final for what it was about: the system forgets that those bytes are not on the device, and the
    /// next call would succeed without them. So they are given up, to be fetched again.
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
            // Room would not bring them back.
            throw SystemError(error.operation, code: EIO)
        }
    }

    private func manifest(_ version: Holding, extents: ByteRangeSet) -> PartialFileManifest {
        var holding = version
        holding.extents = extents
        return PartialFileManifest(
            url: url, holding: holding, fileNumber: fileNumber, stamp: stamp, hashes: hashes.withLock { $0 })
    }
}
