// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// Removed episodes, until they are restored or deleted: in a folder beside the kept ones, so that moving is
/// renaming.
extension DownloadLocation {
    /// The location of the same episode in the trash.
    public var inTrash: DownloadLocation { DownloadLocation(directory: directory + "/trash", name: name) }
    public var isInTrash: Bool { directory.hasSuffix("/trash") }

    /// The paths of all files of the episode.
    private var allPaths: [String] { replacement.ownPaths + ownPaths }

    /// The paths of one version. The audio comes last, so that once it exists, all other files exist.
    private var ownPaths: [String] {
        draftPaths
            + [indexPath, originPath, earlierManifestPath, earlierPath, journalPath, manifestPath, partialPath, path]
    }

    /// The disk space in bytes that all its files occupy.
    public var occupiedBytes: Int64 {
        allPaths.reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + Int64(status.st_blocks) * 512 : sum
        }
    }

    /// Moves its files to `other`. An interrupted move is completed by the next call.
    ///
    /// If both have a part of the audio, the one with more stored bytes is kept and the other one is deleted; while a
    /// process downloads either, both stay.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func move(to other: DownloadLocation) throws(MediaFailure) {
        let change = "move \(path) \(other.isInTrash ? "to" : "out of") the trash"
        do throws(KeepDirectory.CreationError) {
            try KeepDirectory(path: other.directory).createMissing()
        } catch {
            throw error.failure(of: change)
        }
        try replacement.moveVersion(to: other.replacement, change)
        try moveVersion(to: other, change)
    }

    private func moveVersion(to other: DownloadLocation, _ change: String) throws(MediaFailure) {
        if collides(with: other) {
            guard try !isBusy(), try !other.isBusy() else { return }
            guard try storedBytes() > other.storedBytes() else { return try delete(ownPaths) }
            try other.delete(other.ownPaths)
        }
        for (from, to) in zip(ownPaths, other.ownPaths) where rename(from, to) != 0 && errno != ENOENT {
            throw SystemError("rename").whileChangingFolder(change)
        }
    }

    /// True if a move would replace a stored part of the audio by another one. A move that was interrupted leaves
    /// each file in one of the two places only.
    private func collides(with other: DownloadLocation) -> Bool {
        guard presence == .partial, other.presence == .partial else { return false }
        return [\DownloadLocation.partialPath, \.earlierPath].contains { path in
            [self, other].allSatisfy { Self.exists($0[keyPath: path]) }
        }
    }

    /// Takes its files out of the trash, unless a complete file or a longer part of one is here.
    /// - Returns: the location of the files: a complete file that cannot be moved, for example in a read-only folder,
    ///   stays in the trash.
    public func restored() -> DownloadLocation {
        guard presence != .complete, inTrash.presence != .absent else { return self }
        do throws(MediaFailure) {
            try inTrash.move(to: self)
        } catch where inTrash.presence == .complete {
            return inTrash
        } catch {
            // Without its files, the download starts again; the files stay in the trash.
        }
        return self
    }

    /// The failure of a download whose file another process is downloading.
    public static let busy = MediaFailure(.temporary, "another earshot process is downloading it")

    /// Returns true if another process is downloading it.
    public func isBusy() throws(MediaFailure) -> Bool { try isBusy(DiskCalls()) }

    func isBusy(_ calls: DiskCalls) throws(MediaFailure) -> Bool {
        do throws(SystemError) {
            for path in [partialPath, replacement.partialPath] where try Self.isLocked(path, calls) { return true }
            return false
        } catch {
            throw error.whileOpening
        }
    }

    /// Returns true if another process holds the lock of a file. On NFS, only a descriptor for writing can lock it
    /// (flock(2)); no process of this user downloads to a file that cannot be opened for that.
    private static func isLocked(_ path: String, _ calls: DiskCalls) throws(SystemError) -> Bool {
        do throws(SystemError) {
            guard let file = try OpenFile.existing(path, O_RDWR, calls: calls) else { return false }
            return try !file.lock()
        } catch where [EROFS, EACCES, EPERM, EISDIR].contains(error.code) {
            return false
        }
    }

    /// Deletes all its files permanently.
    public func erase() throws(MediaFailure) { try delete(allPaths) }

    private func delete(_ paths: [String]) throws(MediaFailure) {
        // In a read-only folder, this is the error of a missing file, too: the message names the audio.
        for one in paths where unlink(one) != 0 && errno != ENOENT {
            throw SystemError("unlink").whileChangingFolder("delete \(path)")
        }
    }
}
