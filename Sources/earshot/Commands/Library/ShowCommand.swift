// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows all that is known of an episode or a podcast.",
        discussion: """
            A number is that of an episode, p and a number that of a podcast. A podcast's title goes before an \
            episode's.

            For example:
              earshot show "rain on the old harbour"
              earshot show p2
            """)

    @Argument(help: ArgumentHelp("A number, an address, or words of a title.", valueName: "name"))
    var name: String?

    @Option(
        defaultAsFlag: ShowCommand.nameIsPodcast,
        help: ArgumentHelp(
            "A podcast: its number, address, or words of its title. The name is then one of its episodes; without a "
                + "name, it is the podcast itself.", valueName: "podcast"))
    var podcast: String?

    /// `show NAME --podcast`: the name is a podcast's.
    private static let nameIsPodcast = ""

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard name != nil || podcast.map({ $0 != Self.nameIsPodcast }) ?? false else {
            throw ValidationError("Name an episode or a podcast.")
        }
    }

    func run() async throws {
        let (name, podcast, json) = (name, podcast, options.json)
        try await LibrarySession.run { library in
            switch try Self.find(name, in: podcast, library) {
            case .podcast(let podcast): try Self.show(podcast, json, library)
            case .episode(let episode): try Self.show(try library.record(of: episode.id), json)
            }
        }
    }

    private static func find(
        _ name: String?, in podcast: String?, _ library: Library
    ) throws(LibraryError) -> NamedThing {
        switch (name, podcast) {
        case (let name?, nil): return try library.thing(named: name).thing
        case (let name?, nameIsPodcast): return .podcast(try library.podcast(named: name, isPodcast: true))
        case (let name, let podcast?):
            let podcast = try library.podcast(named: podcast, isPodcast: true)
            guard let name else { return .podcast(podcast) }
            return .episode(try library.episode(named: name, in: podcast.id))
        case (nil, nil): throw LibraryError(.invalid, "name an episode or a podcast")
        }
    }

    private static func show(_ podcast: PodcastSummary, _ json: Bool, _ library: Library) throws -> [ReportText] {
        let record = try PodcastRecord(library, podcast)
        return json ? PodcastCard.json(record) : PodcastCard(.current).plain(record)
    }

    private static func show(_ record: EpisodeRecord, _ json: Bool) throws -> [ReportText] {
        json ? EpisodeCard.json(record) : EpisodeCard(.current).plain(record)
    }
}
