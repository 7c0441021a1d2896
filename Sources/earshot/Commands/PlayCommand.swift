// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioProcessing
import EpisodeSources
import Media
import Playback
import Sessions
import TerminalInterface

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play episodes of a feed, or audio files, while they download.",
        usage: "earshot play [TARGET...] [OPTIONS]",
        discussion: """
            A target is the URL or path of a feed or an audio file, or a name in the library: an episode number (12), \
            a podcast number (p2) or a title. A whole title matches before words of a title, and a podcast before an \
            episode. A podcast plays its newest episode, a serial its first unplayed one. Several targets play in \
            order without gaps. Without a target, playback resumes where you stopped and continues with the queue.

            For example:
              earshot play
              earshot play https://example.net/feed.xml
              earshot play feed.xml --episode "old harbour" --from 45:00
              earshot play one.mp3 two.mp3 --output wav:both.wav

            Keys:
              space               pause, resume
              left, j  right, l   10 seconds back, 30 seconds forward
              <  >                previous and next episode
              up, +  down, -      louder, softer
              [  ]  \\             slower, faster, normal speed
              z                   sleep timer: 30 minutes, 60 minutes, episode, off
              r                   retry after a lost connection
              n                   play now instead of buffering more
              R                   repeat off, one, all
              q                   quit

            Commands (--commands -), one per line:
            \(PlayerCommand.help)
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL or path of a feed or an audio file, or a name in the library.", valueName: "target")
    )
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "The episodes of a podcast or feed: latest, oldest, all, a number (the newest is 1), a GUID or title "
                + "words. (default: latest; for a serial, the first unplayed)", valueName: "episode"),
        transform: { try EpisodeChoice(parsing: $0) })
    var episode: EpisodeChoice?

    @OptionGroup var podcast: PodcastOption

    @Option(
        help: "The sound output: pulse[:SINK], null, null:fast, wav:PATH or raw:PATH.",
        transform: { try OutputOption(parsing: $0) })
    var output: OutputOption = .pulse(sink: nil)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The start in the first item: 45:00, 1:02:03, 2700 or 75%.", valueName: "time"),
        transform: { try TimeTarget(parsing: $0) })
    var from: TimeTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The end in the last item, written like --from.", valueName: "time"),
        transform: { try TimeTarget(parsing: $0) })
    var until: TimeTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The volume in percent, 0 to 150. (default: 100)", valueName: "percent"),
        transform: { try PlayerCommand.volume(parsing: $0) })
    var volume: Double?

    @Option(
        help: ArgumentHelp("The speed, 0.5 to 3.5, with unchanged pitch. (default: 1)", valueName: "speed"),
        transform: { try PlayerCommand.speed(parsing: $0) })
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "How much pauses in speech are shortened: off, mild, medium or strong. (default: off)",
            valueName: "level"),
        transform: { try PlayerCommand.trimming(parsing: $0) })
    var trimSilence: SilenceTrimming?

    @Option(
        help: ArgumentHelp(
            "Pause after a time like 30m, or at the end of the episode: episode.", valueName: "time"),
        transform: { try SleepTimer.parse([$0]) })
    var sleep: SleepTimer??

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("The items to repeat: off, one or all.", valueName: "mode"),
        transform: { try RepeatMode(parsing: $0) })
    var repeatMode: RepeatMode = .off

    @OptionGroup var verbosity: QuietOption
    @OptionGroup var events: EventOption
    @OptionGroup var session: SessionOptionGroup

    @Option(
        help: ArgumentHelp("Read commands from standard input, one per line; the value is -.", valueName: "-"),
        transform: Self.standardInput(parsing:))
    var commands: CommandSource?

    enum CommandSource: Sendable { case standardInput }

    func validate() throws {
        guard !(events.json && output.isStandardOutput) else {
            throw ValidationError("--json and audio samples cannot both use standard output.")
        }
        guard !endsBeforeStart else { throw ValidationError("--until must be later than --from.") }
        try episode.map { try podcast.check($0, targets) }
    }

    func run() async throws {
        try await PlaySession.run(options).check()
    }

    /// True if `--from` and `--until` apply to the same item and `--until` is not later.
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
            from: from, until: until, volume: volume ?? 1, speed: speed,
            silenceTrimming: trimSilence, sleep: sleep ?? nil,
            repeatMode: repeatMode, session: session.options(quiet: verbosity.quiet, json: events.json),
            readsCommands: commands != nil)
    }

    private static func standardInput(parsing text: String) throws -> CommandSource {
        guard text == "-" else {
            throw ArgumentError("commands are read from standard input only: write --commands -")
        }
        return .standardInput
    }
}
