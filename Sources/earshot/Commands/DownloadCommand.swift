// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeSources
import Sessions
import TerminalInterface

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download episodes of a feed, or audio files, without playing them.",
        usage: "earshot download [TARGET...] [OPTIONS]",
        discussion: """
            A target is the URL of a feed or an audio file, or a name in the library: an episode number (12), a \
            podcast number (p2) or a title. Targets are downloaded one after the other. Without a target, all pending \
            episodes are downloaded. Complete files are not downloaded again, and interrupted downloads resume. The \
            path of each file is printed to standard output.

            For example:
              earshot download "old harbour"
              earshot download https://example.net/feed.xml
              earshot download https://example.net/feed.xml --episode all
              earshot download https://example.net/talk.mp3 -o talk.mp3
            """)

    @Argument(
        help: ArgumentHelp("The URL of a feed or an audio file, or a name in the library.", valueName: "target"))
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "The episodes of a podcast or feed: latest, oldest, all, a number (the newest is 1), a GUID or title "
                + "words. (default: latest; for a serial, the first unplayed)", valueName: "episode"),
        transform: { try EpisodeChoice(parsing: $0) })
    var episode: EpisodeChoice?

    @OptionGroup var podcast: PodcastOption

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Also copy the episode to a new file, or into a folder under its title, even if it is damaged."))
    var output: String?

    @Flag(help: "Print only errors and paths.")
    var quiet = false

    @OptionGroup var events: EventOption
    @OptionGroup var session: SessionOptionGroup

    func validate() throws {
        try episode.map { try podcast.check($0, targets) }
        guard let output else { return }
        guard !output.isEmpty, output != "-" else { throw ValidationError("-o requires the path of a file or folder.") }
        guard podcast.targets(targets).count == 1, episode != .all else {
            throw ValidationError("-o accepts one episode only; omit it to download several.")
        }
    }

    func run() async throws {
        try await DownloadSession.run(
            DownloadOptions(
                targets: podcast.targets(targets), scope: podcast.scope(of: targets), episode: episode,
                file: output, session: session.options(quiet: quiet, json: events.json))
        ).check()
    }
}
