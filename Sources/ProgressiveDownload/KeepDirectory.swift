// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// The directory that episodes are kept in.
public struct KeepDirectory: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Where the enclosure at `url` is kept, or will be.
    /// - Parameter type: its media type, which names a new file whose address has no ending.
    public func location(forEnclosure url: String, type: String? = nil) -> DownloadLocation {
        let names = EpisodeFileName.names(forEnclosure: url, type: type)
        return occupied(names) ?? DownloadLocation(directory: path, name: names[0])
    }

    /// The first of these names that has a file, here or in the trash.
    func occupied(_ names: [String]) -> DownloadLocation? {
        names.lazy.map { DownloadLocation(directory: path, name: $0) }.first { $0.isOccupied }
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

    /// Every place with files that were made here, also of what belongs to no episode. Other files are not looked at.
    /// - Throws: `forbidden` or `inputOutput`; a folder that is not there has none.
    public func places() throws(MediaFailure) -> [DownloadLocation] {
        guard Self.isDirectory(path) else { return [] }
        guard let entries = opendir(path) else { throw SystemError("opendir").whileOpening }
        defer { closedir(entries) }
        var names: Set<String> = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // What stands beside a file is called like it, and then something.
            let base = name.split(separator: ".").prefix(2).joined(separator: ".")
            if EpisodeFileName.isOurs(base) { names.insert(base) }
        }
        return names.sorted().map { DownloadLocation(directory: path, name: $0) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
