// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The location of one enclosure: a few file names in one directory.
public struct DownloadLocation: Sendable, Hashable {
    /// The state of the file at a location.
    public enum Presence: Sendable, Equatable {
        case absent
        /// Some bytes may be stored; an `EpisodeDownload` resumes with them.
        case partial
        /// Every byte is stored, under the final name.
        case complete
    }

    public let directory: String
    /// The final file name.
    public let name: String

    /// - Parameter name: A plain file name; it comes from `EpisodeFileName`, never from text sent by a server.
    public init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    /// The path of the file under its final name, which it gets only when every byte is stored.
    public var path: String { "\(directory)/\(name)" }
    var partialPath: String { path + ".partial" }
    var manifestPath: String { path + ".partial.json" }
    var journalPath: String { path + ".partial.journal" }
    /// The path of another version, which was partially stored when the server had a new one.
    var earlierPath: String { path + ".earlier" }
    var earlierManifestPath: String { path + ".earlier.json" }
    var indexPath: String { path + ".index" }
    /// The path of the validators that the server sent for the complete file.
    var originPath: String { path + ".origin" }
    /// The paths of files that replace others when they are complete; a process that was killed leaves them behind.
    var draftPaths: [String] {
        [indexPath, originPath, earlierManifestPath, manifestPath].map { $0 + ".new" } + replacementPaths
    }

    /// Returns the temporary path of a new version, which gets the name of the partial file when the previous version
    /// is durable. On a slow disk several versions can wait for that.
    /// - Parameter number: 1 for the first of those that wait.
    func replacementPath(_ number: Int) -> String { partialPath + ".new" + (number > 1 ? "\(number)" : "") }

    private var replacementPaths: [String] { (1...DownloadStateMachine.mostChanges + 1).map(replacementPath) }

    /// The state of the file on disk, queried at each call.
    public var presence: Presence {
        if length != nil { return .complete }
        return [partialPath, earlierPath].contains { Self.length($0) != nil } ? .partial : .absent
    }

    /// The length in bytes of the file under its final name; `nil` if there is none.
    public var length: Int64? { Self.length(path) }

    /// Removes the files left by a download that was killed just after its file was renamed to its final name.
    public func removeLeftovers() {
        guard presence == .complete else { return }
        // A leftover file only wastes space.
        let leftovers = [partialPath, manifestPath, journalPath, earlierPath, earlierManifestPath]
        for path in leftovers + replacementPaths { _ = unlink(path) }
    }

    /// - Returns: `nil` if there is no regular file.
    private static func length(_ path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
