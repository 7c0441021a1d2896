// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Media
import ProgressiveDownload
import Sessions
import TerminalInterface

struct DownloadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List downloaded and pending episodes.",
        discussion: """
            For example:
              earshot downloads
              earshot downloads --empty-trash
            """)

    @Flag(help: "Delete the files of removed downloads to free their space.")
    var emptyTrash = false

    @OptionGroup var folder: FolderOption

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (json, folders, empties) = (options.json, folder.folders, emptyTrash)
        try await LibrarySession.run { library in
            let downloads = LibraryDownloads(library, in: folders)
            if empties {
                guard try downloads.trash().count > 0 else { throw NothingChanged("The trash is empty.") }
                let freed = try downloads.emptyTrash(olderThan: nil)
                return [LibraryRemark.freed(freed)]
            }
            let lines = try DownloadLines.read(downloads, in: library)
            if json { return DownloadTable.json(lines) }
            let trash = try downloads.trash()
            return DownloadTable.plain(lines, .current) + LibraryRemark.trash(count: trash.count, bytes: trash.bytes)
        }
    }
}

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove downloads; the episodes stay in the library.",
        discussion: """
            The files move to the trash and use space for a month: "earshot undo" restores them, "earshot downloads \
            --empty-trash" deletes them. If the disk is nearly full, Earshot empties the trash; if it is full, Earshot \
            deletes the files immediately.

            For example:
              earshot remove "old harbour"
            """)

    @Argument(help: ArgumentHelp("Episodes: numbers or words of a title.", valueName: "episode"))
    var episodes: [String]

    @OptionGroup var folder: FolderOption

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, folders, json) = (episodes, folder.folders, options.json)
        try await LibrarySession.run { library in
            let named = try NamedEpisodes(names, library)
            let isHere = { (episode: EpisodeSummary) in
                try library.download(of: episode.id).map { $0.removedAt == nil } ?? false
            }
            let removed = try named.episodes.filter(isHere)
            let absent = try named.episodes.filter { try !isHere($0) }
            let other = absent.map { LibraryRemark.unchanged($0, "is not downloaded") }
            guard !removed.isEmpty else { throw NothingChanged(other) }
            let downloads = LibraryDownloads(library, in: folders)
            guard let trashed = try downloads.removeIfPossible(removed.map(\.id)) else {
                let freed = try downloads.erase(removed.map(\.id))
                if json { return EpisodeTable.json(removed) }
                let erased = LibraryRemark.done("The disk is full, so permanently deleted", removed)
                return named.remarks + [erased, LibraryRemark.freed(freed)] + other
            }
            let freed = try downloads.freeSpace()
            if json { return EpisodeTable.json(removed) }
            let left = min(trashed, try downloads.trash().bytes)
            return named.remarks + LibraryRemark.removed(removed, trashed: left, freed: freed) + other
        }
    }
}
