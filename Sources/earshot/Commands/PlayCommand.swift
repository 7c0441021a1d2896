// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Listening
import Logging
import Playback
import TerminalInterface

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays episodes of a feed, or audio files, while they download.",
        usage: "earshot play [TARGET...] [OPTIONS]",
        discussion: """
            A target is the URL or path of a feed or of an audio file, or a name in the library: an episode's number \
            (12), p and a podcast's number (p2), or a title. A whole title goes before words of one, and a podcast \
            before an episode. Of a podcast the newest episode plays, of a serial the first unplayed. Several targets \
            play in order, without a gap. Without a target, play resumes where you were and continues with the queue.

            For example:
              earshot play
              earshot play https://example.net/feed.xml
              earshot play feed.xml --episode "old harbour" --from 45:00
              earshot play one.mp3 two.mp3 --output wav:both.wav

            Keys:
              space               pause, and go on
              left, j  right, l   10 seconds back, 30 seconds ahead
              <  >                previous and next episode
              up, +  down, -      louder, softer
              r                   try again where the connection was lost
              n                   play now what is there, and risk that it stops again
              R                   repeat off, one, all
              q                   quit
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL or path of a feed or of an audio file, or a name in the library.", valueName: "target")
    )
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "Which episodes of a podcast or feed: latest, oldest, all, a number (the newest is 1), a GUID or title "
                + "words. (default: latest; of a serial the first unplayed)", valueName: "episode"),
        transform: { try EpisodeChoice(parsing: $0) })
    var episode: EpisodeChoice?

    @OptionGroup var podcast: PodcastOption

    @Option(
        help: "Where the sound goes: pulse[:SINK], null, null:fast, wav:PATH or raw:PATH.",
        transform: { try OutputOption(parsing: $0) })
    var output: OutputOption = .pulse(sink: nil)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where to start in the first item: 45:00, 1:02:03, 2700 or 75%.", valueName: "time"),
        transform: { try TimeTarget(parsing: $0) })
    var from: TimeTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where to stop in the last item, written like --from.", valueName: "time"),
        transform: { try TimeTarget(parsing: $0) })
    var until: TimeTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Loudness in percent, 0 to 150. (default: 100)", valueName: "percent"),
        transform: { try PlayerCommand.volume(parsing: $0) })
    var volume: Double?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("What is played over and over: off, one or all.", valueName: "mode"),
        transform: { try RepeatMode(parsing: $0) })
    var repeatMode: RepeatMode = .off

    @Flag(help: "Say only what goes wrong.")
    var quiet = false

    @OptionGroup
    var session: SessionOptions

    @Option(
        help: ArgumentHelp("Obey one command a line from standard input; the value is -.", valueName: "-"),
        transform: Self.standardInput(parsing:))
    var commands: CommandSource?

    enum CommandSource: Sendable { case standardInput }

    func validate() throws {
        guard !(session.json && output.isStandardOutput) else {
            throw ValidationError("Samples and the lines of --json cannot both go to standard output.")
        }
        guard !endsBeforeStart else { throw ValidationError("--until is not after --from: nothing would be played.") }
        try episode.map { try podcast.check($0, targets) }
    }

    func run() async throws {
        let status = await PlaySession.run(options)
        guard status == .success else { throw ExitCode(status.rawValue) }
    }

    /// Both are told of the same item, and nothing lies between them.
    private var endsBeforeStart: Bool {
        guard let until, podcast.targets(targets).count == 1, episode != .all else { return false }
        return switch (from ?? .time(.zero), until) {
        case (.time(let start), .time(let end)): end <= start
        case (.fraction(let start), .fraction(let end)): end <= start
        case (_, .fraction(let end)): end == 0
        case (.fraction, .time(let end)): end == .zero
        }
    }

    private var options: PlayOptions {
        PlayOptions(
            targets: podcast.targets(targets), scope: podcast.scope(of: targets), episode: episode, output: output,
            from: from, until: until, volume: volume ?? 1,
            repeatMode: repeatMode, quiet: quiet, json: session.json,
            keepFolder: session.keepDir, logLevel: session.logLevel,
            readsCommands: commands != nil)
    }

    private static func standardInput(parsing text: String) throws -> CommandSource {
        guard text == "-" else { throw ArgumentError("commands are read from standard input: write --commands -") }
        return .standardInput
    }
}
