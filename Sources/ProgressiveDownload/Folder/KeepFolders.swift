// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The folders that contain the kept episodes: the standard folder, and one that the listener chose.
public struct KeepFolders: Sendable, Hashable {
    /// The folder that is used unless the listener chooses another one.
    public let standard: KeepDirectory
    /// The chosen folder for this run; `nil` for the standard folder.
    public let chosen: KeepDirectory?
    /// The names with files, by folder; `nil` if each name is looked up on disk.
    private var names: [String: Set<String>]?

    public init(standard: KeepDirectory, chosen: KeepDirectory? = nil) {
        self.standard = standard
        self.chosen = chosen
    }

    /// The folder for new downloads.
    public var current: KeepDirectory { chosen ?? standard }

    /// Returns the same folders with a list of their contents, for looking up many files.
    public func listed() throws(MediaFailure) -> KeepFolders {
        var listed = self
        var names: [String: Set<String>] = [:]
        for directory in [standard, current] where names[directory.path] == nil {
            let trash = KeepDirectory(path: directory.path + "/trash")
            names[directory.path] = Set((try directory.locations() + trash.locations()).map(\.name))
        }
        listed.names = names
        return listed
    }

    /// Returns the location of the file with that name; if there is none, its future location. Of several partial
    /// files of the episode, the one with the most stored bytes is used.
    /// - Parameter folder: The recorded folder; `nil` for the standard folder, or if none was recorded.
    public func location(forEnclosure name: String, type: String? = nil, in folder: String?) -> DownloadLocation {
        let names = EpisodeFileName.names(forEnclosure: name, type: type)
        var places: [DownloadLocation] = []
        for directory in searched(from: folder) {
            places += occupied(names, in: directory)
            // Usually there is one complete file, in the recorded folder.
            if places.first?.presence == .complete { break }
        }
        return DownloadLocation.fullest(of: places) ?? DownloadLocation(directory: current.path, name: names[0])
    }

    /// The folders that may contain the file, each once: a search asks the disk for more than a hundred names.
    private func searched(from recorded: String?) -> [KeepDirectory] {
        let first = recorded.map(KeepDirectory.init(path:)) ?? standard
        return [current, standard].reduce(into: [first]) { if !$0.contains($1) { $0.append($1) } }
    }

    private func occupied(_ candidates: [String], in directory: KeepDirectory) -> [DownloadLocation] {
        guard let listed = names?[directory.path] else { return directory.occupied(candidates) }
        return candidates.filter(listed.contains).map { DownloadLocation(directory: directory.path, name: $0) }
    }

    /// Returns the folder to record for a location; `nil` for the standard folder, which may move later.
    public func folder(of location: DownloadLocation) -> String? {
        location.directory == standard.path ? nil : location.directory
    }
}
