// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The version before the one that is downloaded. It is kept until that one is whole, so that what was heard of it can
/// be heard again, and is gone on with where the other one came to nothing.
///
/// A manifest names its file by number. So whatever is renamed first, it never speaks of another file, and a process
/// that ends between two steps leaves one of the two pairs whole.
extension PartialFile {
    /// An empty file in place of this one, which stays readable to those who have it open.
    func replacement() throws(SystemError) -> PartialFile {
        let file = try beginReplacement()
        try name(file)
        return file
    }

    /// An empty file that is to take the place of this one, under a name of its own. Waits for no device.
    func beginReplacement() throws(SystemError) -> PartialFile {
        let temporary = location.partialPath + ".new"
        try calls.remove(temporary)
        let file = try OpenFile(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, calls: calls)
        guard try file.lock() else { throw SystemError("flock", code: EWOULDBLOCK) }
        let replacement = Self.empty(location, url, file, UInt64(try file.status().st_ino), calls)
        replacement.isNamed = false
        return replacement
    }

    /// Gives a replacement the name of this file, which is kept as the earlier version.
    func name(_ replacement: PartialFile) throws(SystemError) {
        try keepAsEarlier()
        // The manifest goes first: it must never stand beside a file it does not speak of.
        try calls.remove(location.manifestPath)
        try calls.remove(location.journalPath)
        try calls.remove(location.indexPath)
        try calls.rename(location.partialPath + ".new", to: location.partialPath)
        release()
        replacement.isNamed = true
    }

    /// Of two earlier versions the one is kept of which more is held from the beginning on.
    private func keepAsEarlier() throws(SystemError) {
        let kept = try Self.earlierManifest(location, calls)?.holding.lead ?? 0
        guard isIntact, extents.contiguousEnd(from: 0) > kept,
            let version = try PartialFileManifest.load(from: location.manifestPath)?.holding
        else { return }
        try writeSafely(version, to: location.earlierManifestPath)
        try calls.rename(location.partialPath, to: location.earlierPath)
    }

    /// Makes the earlier version the partial file again, where nothing is held of a later one.
    /// - Returns: whether it did.
    static func restoreEarlier(_ location: DownloadLocation, _ calls: DiskCalls) throws(SystemError) -> Bool {
        guard let manifest = try earlierManifest(location, calls) else { return false }
        let file = try OpenFile(path: location.earlierPath, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        guard try file.lock() else { return false }
        try manifest.write(to: location.manifestPath, isDurable: true, calls: calls)
        try calls.rename(location.earlierPath, to: location.partialPath)
        try calls.remove(location.earlierManifestPath)
        return true
    }

    /// The earlier version, to be read only, where more is held of it than of `later`.
    static func earlier(
        _ location: DownloadLocation, url: String, longerThan later: Holding, calls: DiskCalls
    ) throws(SystemError) -> (PartialFile, Holding)? {
        guard let manifest = try earlierManifest(location, calls), manifest.holding.lead > later.lead
        else { return nil }
        let file = try OpenFile(path: location.earlierPath, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        let holding = manifest.copy(fileNumber: manifest.fileNumber, without: manifest.hashes.damaged(in: file)).holding
        guard holding.lead > later.lead else { return nil }
        let earlier = PartialFile(
            location, url: url, file: file, fileNumber: manifest.fileNumber, stamp: manifest.stamp,
            extents: holding.extents, durable: holding.extents, noted: 0, hashes: manifest.hashes, calls: calls)
        return (earlier, holding)
    }

    /// The manifest of the earlier version, as far as its file has the bytes that it names.
    private static func earlierManifest(
        _ location: DownloadLocation, _ calls: DiskCalls
    ) throws(SystemError) -> PartialFileManifest? {
        var status = stat()
        guard let manifest = try PartialFileManifest.load(from: location.earlierManifestPath),
            lstat(location.earlierPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let number = UInt64(status.st_ino)
        guard number != manifest.fileNumber else { return manifest }
        let file = try OpenFile(path: location.earlierPath, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        let copy = manifest.copy(fileNumber: number, without: manifest.hashes.damaged(in: file))
        return copy.holding.extents.isEmpty ? nil : copy
    }
}
