// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The folders that episodes are kept in: the standard one, and one that the listener names.
public struct KeepFolders: Sendable, Hashable {
    public let standard: KeepDirectory
    /// For this run; `nil` is the standard one.
    public let chosen: KeepDirectory?
    /// Names with files, by folder; `nil` where each is looked for.
    private var names: [String: Set<String>]?

    public init(standard: KeepDirectory, chosen: KeepDirectory? = nil) {
        self.standard = standard
        self.chosen = chosen
    }

    /// Where new downloads go.
    public var current: KeepDirectory { chosen ?? standard }

    /// The same folders with a list of what is in them, for looking up many files.
    public func listed() throws(MediaFailure) -> KeepFolders {
        var listed = self
        var names: [String: Set<String>] = [:]
        for directory in [standard, current] where names[directory.path] == nil {
            let trash = KeepDirectory(path: directory.path + "/trash")
            names[directory.path] = Set((try directory.places() + trash.places()).map(\.name))
        }
        listed.names = names
        return listed
    }

    /// Where the file of that name is; if it is nowhere, where it will be.
    /// - Parameter folder: that it was put in; `nil` is the standard one, or one that nobody wrote down.
    public func location(forEnclosure name: String, type: String? = nil, in folder: String?) -> DownloadLocation {
        let recorded = folder.map(KeepDirectory.init(path:)) ?? standard
        let names = EpisodeFileName.names(forEnclosure: name, type: type)
        for directory in [recorded, current, standard] {
            if let place = occupied(names, in: directory) { return place }
        }
        return DownloadLocation(directory: current.path, name: names[0])
    }

    private func occupied(_ candidates: [String], in directory: KeepDirectory) -> DownloadLocation? {
        guard let listed = names?[directory.path] else { return directory.occupied(candidates) }
        return candidates.first(where: listed.contains).map { DownloadLocation(directory: directory.path, name: $0) }
    }

    /// What is to be written down of a place; `nil` is the standard folder, wherever that is by then.
    public func folder(of location: DownloadLocation) -> String? {
        location.directory == standard.path ? nil : location.directory
    }
}
