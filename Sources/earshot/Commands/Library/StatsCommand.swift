// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show how long you listened, and the time saved by shortened pauses and by the speed.",
        discussion: """
            The time heard is that of the recordings. Skipped passages do not count; a passage that you hear twice \
            counts twice.

            For example:
              earshot stats --days 30
              earshot stats --podcast "harbour tales"
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Count only the last days, including today.", valueName: "count"))
    var days: Int?

    @Option(
        help: ArgumentHelp("Show only this podcast: its number, URL, or words of its title.", valueName: "podcast"))
    var podcast: String?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard (1...36_500).contains(days ?? 1) else { throw ValidationError("--days must be 1 to 36500.") }
    }

    func run() async throws {
        let (days, name, json) = (days, podcast, options.json)
        try await LibrarySession.run { library in
            let podcast = try name.map { try library.podcast(named: $0, isPodcast: true).id }
            let first = days.map { ListeningDay(of: library.currentTime).first(ofLast: $0) }
            let sums = try library.listeningSums(of: podcast, since: first)
            return json ? ListeningTable.json(sums) : ListeningTable.plain(sums, .current)
        }
    }
}
