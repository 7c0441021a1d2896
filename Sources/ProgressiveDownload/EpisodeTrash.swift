// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// Where episodes go that are removed, until they are brought back or thrown away: a folder beside those that are kept,
/// so that moving is renaming.
extension DownloadLocation {
    /// The same episode in the trash.
    public var inTrash: DownloadLocation { DownloadLocation(directory: directory + "/trash", name: name) }

    /// Everything that may belong to it; the audio last, so that where it is found the rest is found.
    private var allPaths: [String] { replacement.ownPaths + ownPaths }

    private var ownPaths: [String] {
        [indexPath, originPath, earlierManifestPath, earlierPath, journalPath, manifestPath, partialPath, path]
    }

    /// Bytes on disk, of all its files.
    public var occupiedBytes: Int64 {
        allPaths.reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + Int64(status.st_blocks) * 512 : sum
        }
    }

    /// Moves all its files; what is not there is passed over. Broken off in the middle, it is gone on with by doing it
    /// again.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func move(to other: DownloadLocation) throws(MediaFailure) {
        try KeepDirectory(path: other.directory).create()
        for (from, to) in zip(allPaths, other.allPaths) where rename(from, to) != 0 && errno != ENOENT {
            throw SystemError("rename").whileCreating(to)
        }
    }

    /// Whether another process is downloading it.
    public func isBusy() throws(MediaFailure) -> Bool {
        do throws(SystemError) {
            for path in [partialPath, replacement.partialPath] {
                guard let file = try OpenFile.existing(path) else { continue }
                if try !file.lock() { return true }
            }
            return false
        } catch {
            throw error.whileOpening
        }
    }

    /// Takes all its files away for good.
    public func erase() throws(MediaFailure) {
        for path in allPaths where unlink(path) != 0 && errno != ENOENT {
            throw SystemError("unlink").whileCreating(path)
        }
    }
}
