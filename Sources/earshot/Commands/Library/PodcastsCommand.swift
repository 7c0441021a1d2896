// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct PodcastsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podcasts",
        abstract: "Lists what you are subscribed to.",
        discussion: """
            For example:
              earshot podcasts
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let podcasts = try library.podcasts()
            return json ? PodcastTable.json(podcasts) : PodcastTable.plain(podcasts)
        }
    }
}
