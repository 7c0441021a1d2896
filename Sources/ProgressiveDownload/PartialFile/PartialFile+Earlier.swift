// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// Keeping the version before the one being downloaded. It is kept until the new version is complete, so that the
/// part already played stays playable, and it is resumed if the download of the new version fails.
///
/// A manifest names its file by inode number. Whichever file is renamed first, a manifest never describes another
/// file, and a process that ends between two steps leaves one of the two pairs intact.
extension PartialFile {
    /// Returns an empty file that will replace this one, under a temporary name. Does not wait for the device.
    func beginReplacement() throws(SystemError) -> PartialFile {
        try checkWritable()
        let number = (content.withLock { $0.replacementNumber } ?? 0) + 1
        let temporary = location.replacementPath(number)
        try calls.remove(temporary)
        let file = try OpenFile(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, calls: calls)
        guard try file.lock() else { throw SystemError("flock", code: EWOULDBLOCK) }
        let replacement = Self.empty(location, url, file, UInt64(try file.status().st_ino), calls)
        replacement.content.withLock { $0.replacementNumber = number }
        return replacement
    }

    /// Renames a replacement to the name of this file, which is kept as the earlier version.
    func name(_ replacement: PartialFile) throws(SystemError) {
        do throws(SystemError) {
            try giveName(to: replacement)
        } catch {
            replacement.content.withLock { $0.namingError = error }
            throw error
        }
    }

    private func giveName(to replacement: PartialFile) throws(SystemError) {
        // A file that did not get its name has no manifest: the one at that name describes the version before.
        let (number, error) = content.withLock { ($0.replacementNumber, $0.namingError) }
        guard number == nil else { throw error ?? SystemError.removed }
        try keepAsEarlier()
        // The manifest is removed first: it must never exist beside a file that it does not describe.
        try calls.remove(location.manifestPath)
        try calls.remove(location.journalPath)
        try calls.remove(location.indexPath)
        if let number = replacement.content.withLock({ $0.replacementNumber }) {
            try calls.rename(location.replacementPath(number), to: location.partialPath)
        }
        release()
        replacement.content.withLock { $0.replacementNumber = nil }
    }

    /// Keeps the one of two earlier versions that has more contiguous bytes from the beginning.
    private func keepAsEarlier() throws(SystemError) {
        let kept = try Self.earlierManifest(location, calls)?.stored.lead ?? 0
        guard isIntact, extents.contiguousEnd(from: 0) > kept,
            let version = try PartialFileManifest.load(from: location.manifestPath)?.stored
        else { return }
        try writeSafely(version, to: location.earlierManifestPath)
        try calls.rename(location.partialPath, to: location.earlierPath)
    }

    enum Restoration {
        case none, restored
        /// Another process has just made it the earlier version and is about to name the new one.
        case replacing
        /// Another process has named or completed the new version meanwhile.
        case replaced
    }

    /// Makes the earlier version the partial file again if no byte of a later one is stored.
    ///
    /// A process that replaces a version has the earlier one locked until the new one has its name. So the empty file
    /// keeps its name once this process has that lock.
    /// - Parameter empty: the status of this process's empty partial file.
    static func restoreEarlier(
        _ location: DownloadLocation, over empty: stat, _ calls: DiskCalls
    ) throws(SystemError) -> Restoration {
        guard let manifest = try earlierManifest(location, calls) else { return .none }
        guard let file = try openEarlier(location, O_RDWR, calls) else { return .replaced }
        guard try file.lock() else { return .replacing }
        guard isNamed(location.partialPath, empty) else { return .replaced }
        try manifest.write(to: location.manifestPath, isDurable: true, calls: calls)
        do throws(SystemError) {
            try calls.rename(location.earlierPath, to: location.partialPath)
        } catch where error.code == ENOENT {
            return .replaced
        }
        try calls.remove(location.earlierManifestPath)
        return .restored
    }

    /// - Returns: `nil` if the process that completed the new version has removed the earlier one.
    private static func openEarlier(
        _ location: DownloadLocation, _ access: CInt, _ calls: DiskCalls
    ) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path: location.earlierPath, flags: access | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        } catch where error.code == ENOENT {
            return nil
        }
    }

    /// Returns the earlier version, opened for reading, if more of it is stored than of `later`.
    static func earlier(
        _ location: DownloadLocation, url: String, longerThan later: StoredContent, calls: DiskCalls
    ) throws(SystemError) -> (PartialFile, StoredContent)? {
        guard let manifest = try earlierManifest(location, calls), manifest.stored.lead > later.lead,
            let file = try openEarlier(location, O_RDONLY, calls)
        else { return nil }
        let damaged = try manifest.hashes.damaged(in: file)
        let stored = manifest.copy(fileNumber: manifest.fileNumber, without: damaged).stored
        guard stored.lead > later.lead else { return nil }
        let earlier = PartialFile(
            location, url: url, file: file, fileNumber: manifest.fileNumber, stamp: manifest.stamp,
            extents: stored.extents, durable: stored.extents, noted: 0, hashes: manifest.hashes, calls: calls)
        return (earlier, stored)
    }

    /// Returns the manifest of the earlier version, limited to the bytes that its file contains.
    private static func earlierManifest(
        _ location: DownloadLocation, _ calls: DiskCalls
    ) throws(SystemError) -> PartialFileManifest? {
        var status = stat()
        guard let manifest = try PartialFileManifest.load(from: location.earlierManifestPath),
            lstat(location.earlierPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let number = UInt64(status.st_ino)
        guard number != manifest.fileNumber else { return manifest }
        guard let file = try openEarlier(location, O_RDONLY, calls) else { return nil }
        let copy = manifest.copy(fileNumber: number, without: try manifest.hashes.damaged(in: file))
        return copy.stored.extents.isEmpty ? nil : copy
    }
}
