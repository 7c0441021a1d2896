// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct EpisodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "episodes",
        abstract: "Lists episodes, the newest first.",
        discussion: """
            Without a podcast it lists those of all. With several of the flags all of them must hold.

            For example:
              earshot episodes "harbour tales" --unplayed --since 2w
            """)

    @Argument(
        help: ArgumentHelp("A podcast: p and its number (p2), its address, or words of a title.", valueName: "podcast"))
    var podcast: String?

    @Flag(help: "Only what was not heard to its end.")
    var unplayed = false

    @Flag(help: "Only what was heard to its end, or marked so.")
    var played = false

    @Flag(help: "Only what was begun.")
    var started = false

    @Flag(help: "Only what is on this machine.")
    var downloaded = false

    @Flag(help: "Only what is in the queue.")
    var queued = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only from that day on: 2026-01-31, 7d, 2w, 3m, today, yesterday.", valueName: "day"),
        transform: { try PastDate(parsing: $0) })
    var since: PastDate?

    @Flag(help: "The oldest first.")
    var oldestFirst = false

    @OptionGroup var limit: ListLimit
    @OptionGroup var options: LibraryOptions

    private var states: Set<EpisodeFilter.State> {
        let wanted: [(Bool, EpisodeFilter.State)] = [
            (unplayed, .unplayed), (played, .played), (started, .started), (downloaded, .downloaded), (queued, .queued),
        ]
        return Set(wanted.filter(\.0).map(\.1))
    }

    func run() async throws {
        let filter = EpisodeFilter(
            states: states, since: since?.time(before: CompositionRoot.now), oldestFirst: oldestFirst)
        let (name, count, json) = (podcast, limit.count, options.json)
        try await LibrarySession.run { library in
            var filter = filter
            let podcast = try name.map { try library.podcastMatch($0) }
            filter.podcast = podcast?.thing.id
            let (episodes, hasMore) = try library.episodes(filter, limit: count)
            if json { return EpisodeTable.json(episodes) }
            let taken = name.flatMap { name in
                podcast.flatMap { $0.isExact ? nil : LibraryRemark.matched(name, as: $0.thing) }
            }
            let remarks = [taken].compactMap { $0 }
            guard !episodes.isEmpty else { return remarks + [LibraryRemark.none] }
            let table = EpisodeTable(.current, showsPodcast: filter.podcast == nil)
            return remarks + table.plain(episodes) + (hasMore ? [LibraryRemark.more] : [])
        }
    }
}
