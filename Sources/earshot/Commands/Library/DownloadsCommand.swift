// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import Media
import ProgressiveDownload
import TerminalInterface

struct DownloadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "Lists what is downloaded, or wanted.",
        discussion: """
            For example:
              earshot downloads
              earshot downloads --empty-trash
            """)

    @Flag(help: "Throw away for good what was removed.")
    var emptyTrash = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (json, directory, empties) = (options.json, CompositionRoot.keepDirectory(keepDir), emptyTrash)
        try await LibrarySession.run { library in
            let downloads = LibraryDownloads(library, in: directory)
            if empties {
                let freed = try downloads.emptyTrash(olderThan: .zero)
                return [LibraryRemark.freed(freed)]
            }
            try downloads.settleWhatCanBe()
            let lines = try library.downloads().map { download in
                let location = directory.location(forEnclosure: download.keptAs)
                return DownloadTable.Line(
                    download: download, episode: try library.episode(download.episode),
                    occupied: location.occupiedBytes, path: location.path)
            }
            return json ? DownloadTable.json(lines) : DownloadTable.plain(lines, .current)
        }
    }
}

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes downloads; the episodes stay in the library.",
        discussion: """
            The files go to a trash, from which earshot undo brings them back within a month; earshot downloads \
            --empty-trash throws them away at once. Where the disk is full they are erased instead.

            For example:
              earshot remove "old harbour"
            """)

    @Argument(help: ArgumentHelp("Episodes: numbers, or words of a title.", valueName: "episode"))
    var episodes: [String]

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, directory, json) = (episodes, CompositionRoot.keepDirectory(keepDir), options.json)
        try await LibrarySession.run { library in
            let named = try NamedEpisodes(names, library)
            let isHere = { (episode: EpisodeSummary) in
                try library.download(of: episode.id).map { $0.removedAt == nil } ?? false
            }
            let removed = try named.episodes.filter(isHere)
            let absent = try named.episodes.filter { try !isHere($0) }
            let other = absent.map { LibraryRemark.unchanged($0, "is not downloaded") }
            guard !removed.isEmpty else { throw NothingChanged(other) }
            let freed = try Self.remove(removed.map(\.id), LibraryDownloads(library, in: directory))
            if json { return EpisodeTable.json(removed) }
            guard let freed else { return named.remarks + [LibraryRemark.done("Removed", removed)] + other }
            let erased = LibraryRemark.done("The disk is full, so erased for good", removed)
            return named.remarks + [erased, LibraryRemark.freed(freed)] + other
        }
    }

    /// - Returns: the bytes that are free now, where the files were erased; `nil` where they are in the trash.
    private static func remove(_ episodes: [Int64], _ downloads: LibraryDownloads) throws -> Int64? {
        do {
            _ = try downloads.remove(episodes)
            return nil
        } catch let error as LibraryError where error.kind == .full {
            return try downloads.erase(episodes)
        } catch let error as MediaFailure where error.kind == .inputOutput {
            return try downloads.erase(episodes)
        }
    }
}
