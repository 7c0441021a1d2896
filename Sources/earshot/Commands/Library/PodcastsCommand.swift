// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct PodcastsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podcasts",
        abstract: "List your podcasts.",
        discussion: """
            For example:
              earshot podcasts
              earshot podcasts --group sea
              earshot podcasts --by-group
            """)

    @Option(help: "Only the podcasts in this group; groups come from an import.")
    var group: String?

    @Flag(help: "Show the name of each group above its podcasts.")
    var byGroup = false

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (group, byGroup, json) = (group, byGroup, options.json)
        try await LibrarySession.run { library in
            let podcasts = try group.map { try library.podcasts(inGroup: $0) } ?? library.podcasts()
            if json { return PodcastTable.json(podcasts) }
            return byGroup ? PodcastTable.plainByGroup(podcasts) : PodcastTable.plain(podcasts)
        }
    }
}
