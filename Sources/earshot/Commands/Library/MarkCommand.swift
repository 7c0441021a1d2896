// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark episodes as played or unplayed.",
        discussion: """
            For example:
              earshot mark played 12 13
              earshot mark played --podcast "harbour tales"
            """)

    enum State: String, ExpressibleByArgument, CaseIterable {
        case played, unplayed
    }

    @Argument(help: "The new state: played or unplayed.")
    var state: State

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (isPlayed, names, json) = (state == .played, names, options.json)
        try await LibrarySession.run { library in
            let named = try Self.episodes(names, library)
            let isChanged = { (episode: EpisodeSummary) in
                (episode.progress == .played) != isPlayed || episode.position > .zero
            }
            let ids = named.episodes.filter(isChanged).map(\.id)
            let same = Self.unchangedRemarks(named.episodes.filter { !isChanged($0) }, isPlayed, names)
            guard !ids.isEmpty else { throw NothingChanged(same) }
            try library.mark(ids, played: isPlayed)
            let changed = try library.episodes(numbered: ids)
            if json { return EpisodeTable.json(changed) }
            let done = LibraryRemark.done("Marked as \(isPlayed ? "played" : "unplayed")", changed)
            return named.remarks + [done] + (names.names.isEmpty ? [] : same)
        }
    }

    private static func episodes(_ names: EpisodeNames, _ library: Library) throws(LibraryError) -> NamedEpisodes {
        let podcast = try names.podcast.find(in: library)
        guard let podcast, names.names.isEmpty else {
            return try NamedEpisodes(names.names, in: podcast?.id, library)
        }
        var named = NamedEpisodes()
        let all = EpisodeFilter(podcast: podcast.id)
        named.append(try library.episodes(all, limit: ListLimit.everything).episodes)
        guard !named.episodes.isEmpty else {
            throw LibraryError(.missing, "\"\(podcast.name)\" has no episodes yet")
        }
        return named
    }

    /// Returns messages about episodes that already have the state.
    private static func unchangedRemarks(
        _ episodes: [EpisodeSummary], _ isPlayed: Bool, _ names: EpisodeNames
    ) -> [ReportText] {
        let reason = isPlayed ? "is already marked as played" : "is already unplayed"
        guard names.names.isEmpty, let podcast = episodes.first?.podcastTitle else {
            return episodes.map { LibraryRemark.unchanged($0, reason) }
        }
        let state = isPlayed ? "marked as played" : "unplayed"
        return [LibraryRemark.message("All episodes of \"\(podcast)\" are already \(state).")]
    }
}
