// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List played episodes, latest first.",
        discussion: """
            For example:
              earshot history --limit 10
            """)

    @OptionGroup var limit: ListLimit
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (count, json) = (limit.count, options.json)
        try await LibrarySession.run { library in
            let found = try library.history(limit: count + 1)
            let episodes = Array(found.prefix(count))
            if json { return EpisodeTable.json(episodes) }
            guard !episodes.isEmpty else { return [LibraryRemark.message("No episodes played yet.")] }
            let table = EpisodeTable(.current, day: .played)
            return table.plain(episodes) + (found.count > count ? [LibraryRemark.more] : [])
        }
    }
}
