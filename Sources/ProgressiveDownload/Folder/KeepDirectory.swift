// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// The directory that contains the kept episodes.
public struct KeepDirectory: Sendable, Hashable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Returns the present or future location of the enclosure at `url`.
    /// - Parameter type: The media type, used for the name of a new file if the address has no extension.
    public func location(forEnclosure url: String, type: String? = nil) -> DownloadLocation {
        let names = EpisodeFileName.names(forEnclosure: url, type: type)
        return DownloadLocation.fullest(of: occupied(names)) ?? DownloadLocation(directory: path, name: names[0])
    }

    /// Returns the locations of the names that have a file, here or in the trash.
    func occupied(_ names: [String]) -> [DownloadLocation] {
        let hasTrash = Self.isDirectory(path + "/trash")
        return names.map { DownloadLocation(directory: path, name: $0) }.filter { place in
            place.isOccupied || hasTrash && place.inTrash.isOccupied
        }
    }

    /// Creates the directory and its missing ancestors, accessible to the owner only.
    /// - Throws: `cannotCreate`.
    public func create() throws(MediaFailure) { _ = try create(for: .keeping) }

    /// Creates it as `create` does, unless it is needed only for playback and cannot be written.
    /// - Returns: The error if it cannot be written: playback then stores bytes in memory.
    public func create(for purpose: EpisodeDownload.Purpose) throws(MediaFailure) -> SystemError? {
        do throws(CreationError) {
            try createMissing()
            return nil
        } catch where purpose == .playing && error.cause.preventsWriting {
            return error.cause
        } catch {
            throw error.failure()
        }
    }

    /// The error of the first directory that cannot be created.
    struct CreationError: Error {
        let path: String
        let cause: SystemError

        /// - Parameter change: The change that needs the directory; `nil` if it is needed itself.
        func failure(of change: String? = nil) -> MediaFailure {
            guard cause.code != EEXIST else { return KeepDirectory.obstacle(at: path) }
            return cause.whileChangingFolder(change ?? "create \(path)")
        }
    }

    /// Creates the directory and its missing ancestors.
    func createMissing() throws(CreationError) {
        var ancestor = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            ancestor += (ancestor.isEmpty || ancestor == "/" ? "" : "/") + component
            guard mkdir(ancestor, 0o700) != 0 else { continue }
            let error = SystemError("mkdir")
            guard Self.isDirectory(ancestor) else { throw CreationError(path: ancestor, cause: error) }
        }
    }

    /// Returns every location with files that Earshot created, including those that belong to no episode. Other files
    /// are ignored.
    /// - Throws: `forbidden` or `inputOutput`; a missing folder contains no locations.
    public func locations() throws(MediaFailure) -> [DownloadLocation] {
        guard Self.isDirectory(path) else { return [] }
        var names: Set<String> = []
        for name in try entries() {
            // Files beside an episode have its name, followed by a suffix.
            let base = name.split(separator: ".").prefix(2).joined(separator: ".")
            if EpisodeFileName.isGenerated(base) { names.insert(base) }
        }
        return names.sorted().map { DownloadLocation(directory: path, name: $0) }
    }

    private func entries() throws(MediaFailure) -> [String] {
        do throws(SystemError) {
            return try FolderNames.all(in: path)
        } catch {
            throw error.whileOpening
        }
    }

    /// Returns the reason why a path that exists cannot be used as a directory.
    static func obstacle(at path: String) -> MediaFailure {
        var status = stat()
        guard stat(path, &status) != 0 else { return SystemError("stat", code: ENOTDIR).whileCreating(path) }
        let error = SystemError("stat")
        guard error.code == ENOENT, let target = SymbolicLink.text(at: path) else { return error.whileCreating(path) }
        return MediaFailure(.cannotCreate, "\(path) is a link to \(target), which does not exist")
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The enclosures that a file in a download folder may belong to.
public struct KnownEnclosures: Sendable {
    private var hashes: Set<Substring> = []

    public init() {}

    /// - Parameter name: the URL of an enclosure, or the name that its file was given instead.
    public mutating func insert(_ name: String) { hashes.insert(EpisodeFileName.hash(of: name)[...]) }

    /// Returns true if the location is that of one of the enclosures, in any folder and with any extension.
    public func contains(_ location: DownloadLocation) -> Bool {
        hashes.contains(EpisodeFileName.hash(in: location.name))
    }
}

/// Files in download folders, accessible by the enclosure to which they belong.
public struct FilesByEnclosure: Sendable {
    private var places: [Substring: DownloadLocation] = [:]

    public init(_ locations: [DownloadLocation]) {
        for location in locations { places[EpisodeFileName.hash(in: location.name)] = location }
    }

    /// - Parameter name: the URL of an enclosure, or the name that its file was given instead.
    public subscript(name: String) -> DownloadLocation? { places[EpisodeFileName.hash(of: name)[...]] }
}
