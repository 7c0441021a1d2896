// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Where one enclosure is kept: a few names in one directory.
public struct DownloadLocation: Sendable, Hashable {
    public enum Presence: Sendable, Equatable {
        case absent
        /// Some bytes may be there; an `EpisodeDownload` goes on with them.
        case partial
        /// Every byte is there, under the final name.
        case complete
    }

    public let directory: String
    /// The final file name.
    public let name: String

    /// - Parameter name: a plain file name; it comes from `EpisodeFileName`, never from a server's words.
    public init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    /// The file under its final name, which it gets only when every byte is there.
    public var path: String { "\(directory)/\(name)" }
    var partialPath: String { path + ".partial" }
    var manifestPath: String { path + ".partial.json" }
    var journalPath: String { path + ".partial.journal" }
    /// Another version, of which bytes were held when the server had a new one.
    var earlierPath: String { path + ".earlier" }
    var earlierManifestPath: String { path + ".earlier.json" }
    var indexPath: String { path + ".index" }
    /// What the server said of the file that is whole.
    var originPath: String { path + ".origin" }

    public var presence: Presence {
        if length != nil { return .complete }
        return [partialPath, earlierPath].contains { Self.length($0) != nil } ? .partial : .absent
    }

    /// Bytes of the file under its final name; `nil` where there is none.
    public var length: Int64? { Self.length(path) }

    /// Takes away what a download leaves that was killed right after its file got its final name.
    public func removeLeftovers() {
        guard presence == .complete else { return }
        // One that stays costs room and nothing else.
        for path in [partialPath, manifestPath, journalPath, earlierPath, earlierManifestPath] { _ = unlink(path) }
    }

    /// - Returns: `nil` where there is no regular file.
    private static func length(_ path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
