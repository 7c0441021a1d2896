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
            """)

    @Option(help: "Only the podcasts in this group; groups come from an import.")
    var group: String?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (group, json) = (group, options.json)
        try await LibrarySession.run { library in
            let all = try library.podcasts()
            let podcasts = try group.map { try PodcastTable.podcasts(all, inGroup: $0) } ?? all
            return json ? PodcastTable.json(podcasts) : PodcastTable.plain(podcasts)
        }
    }
}
