// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Playing from a folder that cannot be written, for example on a read-only file system. The stored bytes are read,
/// further ones are stored in memory, and no file is changed.
extension PartialFile {
    /// Opens the partial file at `location` for reading, or an empty one in memory.
    /// - Parameter writeError: The reason why it cannot be opened for writing.
    static func openUnwritable(
        _ location: DownloadLocation, url: String, because writeError: SystemError, calls: DiskCalls
    ) throws(MediaFailure) -> (PartialFile, StoredContent) {
        do throws(SystemError) {
            if let stored = try openForReading(location, url, writeError, calls) { return stored }
            return (try inMemory(location, url: url, because: writeError, calls: calls), StoredContent())
        } catch {
            throw error.whileOpening
        }
    }

    /// Returns an empty file that stores all bytes in memory.
    static func inMemory(
        _ location: DownloadLocation, url: String, because writeError: SystemError, calls: DiskCalls
    ) throws(SystemError) -> PartialFile {
        let nothing = try OpenFile(path: "/dev/null", flags: O_RDONLY, calls: calls)
        return empty(location, url, nothing, 0, calls, writeError: writeError)
    }

    /// - Returns: `nil` if no byte is stored, or this user may not read the file.
    private static func openForReading(
        _ location: DownloadLocation, _ url: String, _ writeError: SystemError, _ calls: DiskCalls
    ) throws(SystemError) -> (PartialFile, StoredContent)? {
        do throws(SystemError) {
            guard let manifest = try PartialFileManifest.load(from: location.manifestPath),
                let file = try OpenFile.existing(location.partialPath, calls: calls)
            else { return nil }
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            return try resume(
                manifest, location, url, file, UInt64(status.st_ino), calls, writeError: writeError)
        } catch where error.isDenied {
            return nil
        }
    }
}
