// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media
import Synchronization

/// The partial file of a download that runs in another process, open for reading.
///
/// The other process records its stored bytes in the manifest and the journal shortly after it has stored them. An
/// inode holds bytes of one version only, so the open file never shows those of another version.
struct FollowedFile: Sendable {
    let file: PartialFile
    private let location: DownloadLocation
    private let calls: DiskCalls
    private var manifest: PartialFileManifest
    private var manifestState: FileState

    /// Identifies the content of a file that is only ever replaced atomically.
    private struct FileState: Sendable, Equatable {
        let number: UInt64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            number = UInt64(status.st_ino)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// Returns `nil` unless a manifest describes the file at `location`.
    init?(_ location: DownloadLocation, url: String, calls: DiskCalls) throws(SystemError) {
        guard let state = FileState(location.manifestPath),
            let manifest = try PartialFileManifest.load(from: location.manifestPath),
            let file = try Self.open(location.partialPath, calls)
        else { return nil }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, manifest.fileNumber == UInt64(status.st_ino) else { return nil }
        self.location = location
        self.calls = calls
        self.manifest = manifest
        manifestState = state
        self.file = PartialFile(
            location, url: url, file: file, fileNumber: manifest.fileNumber, stamp: manifest.stamp,
            extents: ByteRangeSet(), durable: ByteRangeSet(), noted: 0, hashes: BlockHashes(), calls: calls)
        self.file.isLocked = false
        expect([])
    }

    /// Marks blocks that the manifest did not name before as unverified, so that they are compared with their hashes
    /// when they are read: the other process may have found them to be damaged.
    private func expect(_ known: [ByteRange]) {
        let known = ByteRangeSet(known)
        file.hashes.withLock { $0 = manifest.hashes }
        file.content.withLock { content in
            for block in manifest.hashes.blocks where !known.contains(block) { content.unverified.insert(block) }
        }
    }

    /// Shows the bytes that were stored since the last call.
    /// - Returns: All stored content; `nil` if the other process has continued in another file.
    mutating func readNewBytes() throws(SystemError) -> StoredContent? {
        guard let state = FileState(location.manifestPath) else { return nil }
        if state != manifestState {
            guard let manifest = try PartialFileManifest.load(from: location.manifestPath) else { return nil }
            let known = self.manifest.hashes.blocks
            (self.manifest, manifestState) = (manifest, state)
            guard manifest.stamp == file.stamp else { return nil }
            expect(known)
        }
        guard manifest.fileNumber == file.fileNumber else { return nil }
        let subject = PartialFile.subject(file.fileNumber, file.stamp, calls)
        let noted = try PartialFileJournal.load(from: location.journalPath, about: subject)?.extents
        var stored = manifest.stored
        for range in noted?.ranges ?? [] where range.upperBound <= stored.entity.total ?? .max {
            stored.extents.insert(range)
        }
        file.content.withLock { $0.extents = stored.extents }
        return stored
    }

    private static func open(_ path: String, _ calls: DiskCalls) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        } catch where error.code == ENOENT {
            return nil
        }
    }
}

extension PartialFile {
    /// Opens the file under its final name for reading.
    /// - Parameter other: A file that may have been renamed to that name; the version is then the same.
    static func whole(
        _ location: DownloadLocation, url: String, after other: PartialFile?, calls: DiskCalls
    ) throws(SystemError) -> (PartialFile, StoredContent) {
        let file = try OpenFile(path: location.path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        let status = try file.status()
        let (number, total) = (UInt64(status.st_ino), Int64(status.st_size))
        let isSame = other?.fileNumber == number
        let extents = ByteRangeSet(total > 0 ? [0..<total] : [])
        let whole = PartialFile(
            location, url: url, file: file, fileNumber: number,
            stamp: isSame ? other?.stamp ?? 0 : .random(in: 0...UInt64.max),
            extents: extents, durable: extents, noted: 0, hashes: BlockHashes(), calls: calls)
        return (whole, StoredContent(entity: Representation(total: total), extents: extents))
    }
}
