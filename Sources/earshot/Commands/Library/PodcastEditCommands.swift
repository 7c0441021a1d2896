// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import ProgressiveDownload
import Sessions
import TerminalInterface

struct UnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe",
        abstract: "Unsubscribe from podcasts; \"earshot undo\" restores them for 30 days.",
        discussion: """
            Their downloads move to the trash. "earshot downloads --empty-trash" deletes them.

            For example:
              earshot unsubscribe "harbour tales"
            """)

    @Argument(
        help: ArgumentHelp("Podcasts: numbers (p2), URLs, or words of a title.", valueName: "podcast"))
    var podcasts: [String]

    @OptionGroup var folder: FolderOption

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, folders, json) = (podcasts, folder.folders, options.json)
        try await LibrarySession.run { library in
            // Find all podcasts before changing the first.
            let named = try names.map { try library.podcast(named: $0) }
            let podcasts = named.filter { $0.unsubscribedAt == nil }
            let other = named.filter { $0.unsubscribedAt != nil }
                .map { LibraryRemark.message("You are not subscribed to \"\($0.name)\".") }
            guard !podcasts.isEmpty else { throw NothingChanged(other) }
            for podcast in podcasts { try library.unsubscribe(podcast.id) }
            try LibraryDownloads(library, in: folders).synchronizeTrash()
            if json { return PodcastTable.json(podcasts) }
            return podcasts.map { LibraryRemark.message("Unsubscribed: \($0.name). \"earshot undo\" restores it.") }
                + other
        }
    }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change the title of a podcast, or restore the title from its feed.",
        discussion: """
            For example:
              earshot rename "harbour tales" Harbour
            """)

    @Argument(
        help: ArgumentHelp(
            "The podcast: its number (p2), its URL, or words of its title.", valueName: "podcast"))
    var podcast: String

    @Argument(help: "The new title; omit it to restore the title from the feed.")
    var title: [String] = []

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (podcast, options.json)
        let title = title.isEmpty ? nil : title.joined(separator: " ")
        try await LibrarySession.run { library in
            let podcast = try library.podcast(named: name)
            guard try library.rename(podcast.id, to: title) else {
                let reason = title == nil ? "already has the title from its feed" : "already has this title"
                throw NothingChanged("\"\(podcast.name)\" \(reason).")
            }
            let renamed = try library.podcast(podcast.id)
            if json { return PodcastTable.json([renamed]) }
            return [LibraryRemark.message("Renamed \"\(podcast.name)\" to \"\(renamed.name)\".")]
        }
    }
}
