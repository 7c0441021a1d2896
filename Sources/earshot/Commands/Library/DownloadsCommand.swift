// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Media
import ProgressiveDownload
import Sessions
import Synchronization
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
            deletes the files immediately. A download that another earshot process plays or continues is not removed.

            For example:
              earshot remove "old harbour"
            """)

    @Argument(help: ArgumentHelp("Episodes: numbers or words of a title.", valueName: "episode"))
    var episodes: [String]

    @OptionGroup var folder: FolderOption

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, folders, json) = (episodes, folder.folders, options.json)
        let isRefused = Atomic<Bool>(false)
        try await LibrarySession.run { library in
            let named = try NamedEpisodes(names, library)
            let downloads = LibraryDownloads(library, in: folders)
            let here = try named.episodes.filter { episode in
                try library.download(of: episode.id).map { $0.removedAt == nil } ?? false
            }
            let absent = named.episodes.filter { !here.contains($0) }
            let other = absent.map { LibraryRemark.unchanged($0, "is not downloaded") }
            guard !here.isEmpty else { throw NothingChanged(other) }
            let busy = try here.filter { try downloads.isBusy($0.id) }
            isRefused.store(!busy.isEmpty, ordering: .relaxed)
            let removed = here.filter { !busy.contains($0) }
            let remarks = try removed.isEmpty ? [] : Self.remove(removed, downloads)
            let refusals = busy.map(Self.refusal)
            return json ? EpisodeTable.json(removed) + refusals : named.remarks + remarks + other + refusals
        }
        if isRefused.load(ordering: .relaxed) { throw TerminalInterface.ExitStatus.temporary }
    }

    /// Moves the downloads to the trash, and returns sentences about that.
    private static func remove(_ episodes: [EpisodeSummary], _ downloads: LibraryDownloads) throws -> [ReportText] {
        let ids = episodes.map(\.id)
        guard let trashed = try downloads.removeIfPossible(ids) else {
            let freed = try downloads.erase(ids)
            let erased = LibraryRemark.done("The disk is full, so permanently deleted", episodes)
            return [erased, LibraryRemark.freed(freed)]
        }
        let freed = try downloads.freeSpace()
        let left = min(trashed, try downloads.trash().bytes)
        return LibraryRemark.removed(episodes, trashed: left, freed: freed)
    }

    private static func refusal(of episode: EpisodeSummary) -> ReportText {
        let reason = "is being played or downloaded by another earshot process; stop it first"
        return LibraryFailureText.line(LibraryError(.busy, "\"\(episode.name)\" \(reason)"))
    }
}
