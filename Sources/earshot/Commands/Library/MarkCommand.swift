// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Marks episodes as played or unplayed.",
        discussion: """
            For example:
              earshot mark played 12 13
              earshot mark played --podcast "harbour tales"
            """)

    enum State: String, ExpressibleByArgument, CaseIterable {
        case played, unplayed
    }

    /// More than a podcast has.
    private static let everything = 10_000_000

    @Argument(help: "played or unplayed.")
    var state: State

    @Argument(help: ArgumentHelp("Episodes: numbers, GUIDs, or words of the title.", valueName: "episode"))
    var episodes: [String] = []

    @Option(help: "All episodes of this podcast.")
    var podcast: String?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard episodes.isEmpty != (podcast == nil) else {
            throw ValidationError("Name episodes, or a podcast with --podcast.")
        }
    }

    func run() async throws {
        let (isPlayed, names, podcast, json) = (state == .played, episodes, podcast, options.json)
        try await LibrarySession.run { library in
            let episodes = try podcast.map { try Self.episodes(of: $0, library) } ?? library.episodes(named: names)
            let ids = episodes.filter { ($0.progress == .played) != isPlayed || $0.position > .zero }.map(\.id)
            if !ids.isEmpty { try library.mark(ids, played: isPlayed) }
            let changed = try library.episodes(numbered: ids)
            let remark = LibraryRemark.done("Marked as \(isPlayed ? "played" : "unplayed")", changed)
            return json ? EpisodeTable.json(changed) : [remark]
        }
    }

    private static func episodes(of podcast: String, _ library: Library) throws -> [EpisodeSummary] {
        let filter = EpisodeFilter(podcast: try library.podcast(named: podcast).id)
        return try library.episodes(filter, limit: everything).episodes
    }
}
