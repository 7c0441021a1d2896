// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// The directory that episodes are kept in.
public struct KeepDirectory: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Where the enclosure at `url` is kept; the same URL always has the same place. Touches no disk.
    public func location(forEnclosure url: String) -> DownloadLocation {
        DownloadLocation(directory: path, name: EpisodeFileName.name(forEnclosure: url))
    }

    /// Makes the directory, and what is missing above it, for its owner alone.
    /// - Throws: `cannotCreate`.
    public func create() throws(MediaFailure) {
        var ancestor = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            ancestor += (ancestor.isEmpty || ancestor == "/" ? "" : "/") + component
            guard mkdir(ancestor, 0o700) != 0 else { continue }
            let error = SystemError("mkdir")
            guard Self.isDirectory(ancestor) else { throw error.whileCreating(ancestor) }
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
