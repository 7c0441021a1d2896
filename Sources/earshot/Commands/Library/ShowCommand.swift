// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Sessions
import TerminalInterface

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details of an episode or a podcast.",
        discussion: """
            An episode number is written 12, a podcast number p2. Podcast titles match before episode titles.

            For example:
              earshot show "rain on the old harbour"
              earshot show p2
            """)

    @Argument(help: ArgumentHelp("A number, a URL, or words of a title.", valueName: "name"))
    var name: String?

    @Option(
        defaultAsFlag: ShowCommand.nameIsPodcast,
        help: ArgumentHelp(
            "A podcast: its number, URL, or words of its title. The name is then the name of one of its episodes; "
                + "without a name, show the podcast.", valueName: "podcast"))
    var podcast: String?

    /// The value of `show NAME --podcast`: the name means a podcast.
    private static let nameIsPodcast = ""

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard name != nil || podcast.map({ $0 != Self.nameIsPodcast }) ?? false else {
            throw ValidationError("Specify an episode or a podcast.")
        }
    }

    func run() async throws {
        let (name, podcast, json) = (name, podcast, options.json)
        try await LibrarySession.run { library in
            switch try Self.find(name, in: podcast, library) {
            case .podcast(let podcast): try Self.show(podcast, json, library)
            case .episode(let episode): try Self.show(try library.record(of: episode.id), json, library)
            }
        }
    }

    private static func find(
        _ name: String?, in podcast: String?, _ library: Library
    ) throws(LibraryError) -> NamedThing {
        switch (name, podcast) {
        case (let name?, nil): return try library.object(named: name).object
        case (let name?, nameIsPodcast): return .podcast(try library.podcast(named: name, isPodcast: true))
        case (let name, let podcast?):
            let podcast = try library.podcast(named: podcast, isPodcast: true)
            guard let name else { return .podcast(podcast) }
            return .episode(try library.episode(named: name, in: podcast.id))
        case (nil, nil): throw LibraryError(.invalid, "specify an episode or a podcast")
        }
    }

    private static func show(_ podcast: PodcastSummary, _ json: Bool, _ library: Library) throws -> [ReportText] {
        let record = try PodcastRecord(library, podcast)
        return json ? PodcastCard.json(record) : PodcastCard(.current).plain(record)
    }

    private static func show(_ record: EpisodeRecord, _ json: Bool, _ library: Library) throws -> [ReportText] {
        let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(nil))
        // A file that cannot be read does not prevent the rest from being shown.
        let file = try? downloads.chapters(in: record.download)
        return json
            ? EpisodeCard.json(record, inFile: file?.list, length: file?.length)
            : EpisodeCard(.current).plain(record, inFile: file?.list, length: file?.length)
    }
}
