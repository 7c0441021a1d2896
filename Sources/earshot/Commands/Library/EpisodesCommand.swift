// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Media
import Sessions
import TerminalInterface

struct EpisodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "episodes",
        abstract: "List episodes, newest first.",
        discussion: """
            Without a podcast, list the episodes of all podcasts. An episode must match all filters.

            For example:
              earshot episodes "harbour tales" --unplayed --since 2w
              earshot episodes --group sea --by-group
            """)

    @Argument(
        help: ArgumentHelp("A podcast: its number (p2), its URL, or words of its title.", valueName: "podcast"))
    var podcast: String?

    @Option(help: "Only the episodes of podcasts in this group; groups come from an import.")
    var group: String?

    @Flag(help: "Show the name of each group above its episodes.")
    var byGroup = false

    @Flag(help: "Only unplayed episodes, started ones included.")
    var unplayed = false

    @Flag(help: "Only episodes that were played to the end or marked as played.")
    var played = false

    @Flag(help: "Only started episodes that are not finished.")
    var started = false

    @Flag(help: "Only downloaded episodes.")
    var downloaded = false

    @Flag(help: "Only queued episodes.")
    var queued = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only episodes since a day: 2026-01-31, 7d, 2w, 3m, today, yesterday.", valueName: "day"),
        transform: { try PastDate(parsing: $0) })
    var since: PastDate?

    @Flag(help: "List the oldest episodes first.")
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
        let (name, group, byGroup, count, json) = (podcast, group, byGroup, limit.count, options.json)
        try await LibrarySession.run { library in
            var filter = filter
            let podcast = try name.map { try library.podcastMatch($0) }
            filter.podcast = podcast?.object.id
            filter.podcasts = try group.map { Set(try library.podcasts(inGroup: $0).map(\.id)) }
            let (episodes, hasMore) = try library.episodes(filter, limit: count)
            if json { return EpisodeTable.json(episodes) }
            let taken = name.flatMap { name in
                podcast?.taken.map { LibraryRemark.matched(name, as: $0) }
            }
            let remarks = [taken].compactMap { $0 }
            guard !episodes.isEmpty else { return remarks + [LibraryRemark.none] }
            let table = EpisodeTable(.current, showsPodcast: filter.podcast == nil)
            let lines =
                byGroup
                ? GroupHeading.plain(episodes, podcasts: try library.podcasts(), table) : table.plain(episodes)
            return remarks + lines + (hasMore ? [LibraryRemark.more] : [])
        }
    }
}
