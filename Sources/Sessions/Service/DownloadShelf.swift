// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import TerminalInterface

/// The downloads of the library, as requests of clients change them. Blocks on disk access.
struct DownloadShelf: Sendable {
    private let library: Library
    private let downloads: LibraryDownloads

    init(_ options: SessionOptions) throws {
        guard let library = try CompositionRoot.existingLibrary() else { throw LibraryDesk.noLibrary }
        self.library = library
        downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(options.keepFolder))
    }

    func list() throws -> JSONValue {
        .object([.init("downloads", .array(DownloadTable.objects(try DownloadLines.read(downloads, in: library))))])
    }

    /// Records that episodes are wanted. Returns those that are not complete.
    func request(_ names: [String]) throws -> [Int64] {
        let episodes = try LibraryDesk.episodes(names, library)
        for episode in episodes { try library.episode(episode).expectAudio() }
        for episode in episodes { try downloads.begin(episode, by: .listener) }
        try downloads.synchronizeIfWritable()
        return try episodes.filter { try library.download(of: $0)?.state != .complete }
    }

    /// Returns the episodes with these names.
    /// - Throws: `missing` if none of them has a download.
    func downloaded(_ names: [String]) throws -> [Int64] {
        let episodes = try LibraryDesk.episodes(names, library).filter { episode in
            try library.download(of: episode).map { $0.removedAt == nil } ?? false
        }
        guard !episodes.isEmpty else { throw LibraryError(.missing, "none of these episodes is downloaded") }
        return episodes
    }

    func remove(_ episodes: [Int64]) throws {
        if try downloads.removeIfPossible(episodes) == nil { _ = try downloads.erase(episodes) }
        try downloads.freeSpace()
    }
}
