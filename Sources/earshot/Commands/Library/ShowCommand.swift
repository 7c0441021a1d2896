// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows all that is known of an episode or a podcast.",
        discussion: """
            A number is that of an episode, unless --podcast is there; words are those of a podcast's title or, where \
            no podcast has them, of an episode's.

            For example:
              earshot show "rain on the old harbour"
            """)

    @Argument(help: ArgumentHelp("A number, a GUID, an address, or words of the title.", valueName: "name"))
    var name: String

    @Flag(help: "It is a podcast.")
    var podcast = false

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, isPodcast, json) = (name, podcast, options.json)
        try await LibrarySession.run { library in
            switch try Self.find(name, isPodcast: isPodcast, in: library) {
            case .podcast(let podcast): try Self.show(podcast, json, library)
            case .episode(let episode): try Self.show(try library.record(of: episode.id), json)
            }
        }
    }

    private enum Found {
        case podcast(PodcastSummary)
        case episode(EpisodeSummary)
    }

    private static func find(_ name: String, isPodcast: Bool, in library: Library) throws(LibraryError) -> Found {
        if isPodcast { return .podcast(try library.podcast(named: name)) }
        if Int64(name) == nil, let podcast = try? library.podcast(named: name) { return .podcast(podcast) }
        return .episode(try library.episode(named: name))
    }

    private static func show(_ podcast: PodcastSummary, _ json: Bool, _ library: Library) throws -> [ReportText] {
        let record = try PodcastRecord(library, podcast)
        return json ? PodcastCard.json(record) : PodcastCard(.current).plain(record)
    }

    private static func show(_ record: EpisodeRecord, _ json: Bool) throws -> [ReportText] {
        json ? EpisodeCard.json(record) : EpisodeCard(.current).plain(record)
    }
}
