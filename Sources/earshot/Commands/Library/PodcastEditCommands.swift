// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import ProgressiveDownload
import TerminalInterface

struct UnsubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsubscribe",
        abstract: "Ends subscriptions. Within a month they can be restored with everything in them.",
        discussion: """
            Their downloads move to the trash, which earshot downloads --empty-trash empties.

            For example:
              earshot unsubscribe "harbour tales"
            """)

    @Argument(
        help: ArgumentHelp("Podcasts: p and the number (p2), addresses, or words of the title.", valueName: "podcast"))
    var podcasts: [String]

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, folders, json) = (podcasts, CompositionRoot.keepFolders(keepDir), options.json)
        try await LibrarySession.run { library in
            // All are known before the first goes.
            let named = try names.map { try library.podcast(named: $0) }
            let podcasts = named.filter { $0.unsubscribedAt == nil }
            let other = named.filter { $0.unsubscribedAt != nil }
                .map { LibraryRemark.said("You are not subscribed to \"\($0.name)\".") }
            guard !podcasts.isEmpty else { throw NothingChanged(other) }
            for podcast in podcasts { try library.unsubscribe(podcast.id) }
            try LibraryDownloads(library, in: folders).synchronizeTrash()
            if json { return PodcastTable.json(podcasts) }
            return podcasts.map { LibraryRemark.said("Unsubscribed: \($0.name). `earshot undo` takes it back.") }
                + other
        }
    }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Gives a podcast a title of your own; without one, restores the title in its feed.",
        discussion: """
            For example:
              earshot rename "harbour tales" Harbour
            """)

    @Argument(
        help: ArgumentHelp(
            "The podcast: p and its number (p2), its address, or words of its title.", valueName: "podcast"))
    var podcast: String

    @Argument(help: "The title you want.")
    var title: [String] = []

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (podcast, options.json)
        let title = title.isEmpty ? nil : title.joined(separator: " ")
        try await LibrarySession.run { library in
            let podcast = try library.podcast(named: name)
            guard try library.rename(podcast.id, to: title) else {
                let reason = title == nil ? "has the title in its feed already" : "is called that already"
                throw NothingChanged("\"\(podcast.name)\" \(reason).")
            }
            let renamed = try library.podcast(podcast.id)
            if json { return PodcastTable.json([renamed]) }
            return [LibraryRemark.said("\(podcast.name) is called \(renamed.name) now.")]
        }
    }
}
