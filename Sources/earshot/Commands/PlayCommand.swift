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
              earshot play "old harbour" --from "the storm came" --show transcript

            Keys:
              space               pause, resume
              left, j  right, l   10 seconds back, 30 seconds forward
              <  >                previous and next episode
              c  C                next chapter; start of the chapter, or the one before
              up, +  down, -      louder, softer
              [  ]  \\             slower, faster, normal speed
              b                   bookmark the position 3 seconds ago
              z                   sleep: 30 minutes, 60 minutes, chapter, episode, off
              r                   retry after a lost connection
              n                   play now instead of buffering more
              R                   repeat off, one, all
              q                   quit
              d                   leave; playback continues (if another process plays)

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
        help: ArgumentHelp(
            "Play this smart queue (\"earshot smart\"), and episodes that enter it meanwhile.", valueName: "name"))
    var smart: String?

    @Option(
        help: "The sound output: pulse[:SINK], null, null:fast, wav:PATH or raw:PATH. (default: pulse)",
        transform: { try OutputOption(parsing: $0) })
    var output: OutputOption?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The start in the first item: 45:00, 1:02:03, 2700 or 75%; or words of its transcript.",
            valueName: "time"),
        transform: { try StartTarget(parsing: $0) })
    var from: StartTarget?

    @Option(
        help: ArgumentHelp(
            "Start at this bookmark or soundbite: its number or words of its title (\"earshot bookmarks\").",
            valueName: "bookmark"))
    var bookmark: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The end in the last item, written like --from; not with --smart.", valueName: "time"),
        transform: { try TimeTarget(parsing: $0) })
    var until: TimeTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The volume of this playback in percent, 0 to 150. (default: the volume that you last chose)",
            valueName: "percent"),
        transform: { try PlayerCommand.volume(parsing: $0) })
    var volume: Double?

    @Option(
        help: ArgumentHelp(
            "The speed, 0.5 to 3.5, with unchanged pitch. It applies until playback stops; then the settings apply "
                + "again. (default: that of the settings)", valueName: "speed"),
        transform: { try PlayerCommand.speed(parsing: $0) })
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "How much pauses in speech are shortened: off, mild, medium or strong. (default: off)",
            valueName: "level"),
        transform: { try PlayerCommand.trimming(parsing: $0) })
    var trimSilence: SilenceTrimming?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bring each episode to this loudness in LUFS, -23 to -14, usually -16; or off. (default: off)",
            valueName: "lufs"),
        transform: { try PlayerCommand.loudness(parsing: $0) })
    var loudness: SoundChanges.Loudness?

    @Option(
        help: ArgumentHelp("Make voices easier to understand in noise: on or off. (default: off)", valueName: "state"),
        transform: { try PlayerCommand.switching(parsing: $0) })
    var voiceBoost: Bool?

    @Option(
        help: ArgumentHelp(
            "Pause after a time like 30m, or at the end of the chapter or the episode: chapter, episode, "
                + "\"chapter 2\".",
            valueName: "time"),
        transform: { try SleepTimer.parse($0.split(separator: " ").map(String.init)) })
    var sleep: SleepTimer??

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("The items to repeat: off, one or all.", valueName: "mode"),
        transform: { try RepeatMode(parsing: $0) })
    var repeatMode: RepeatMode?

    @Option(
        help: ArgumentHelp(
            "Print each line of the transcript when it is played; the value is transcript. Plays in this process, also "
                + "beside a service.", valueName: "content"),
        transform: { try ShownContent(parsing: $0) })
    var show: ShownContent?

    @OptionGroup var verbosity: QuietOption
    @OptionGroup var events: EventOption
    @OptionGroup var session: SessionOptionGroup

    @Flag(help: "Play in this process, without media keys and commands such as \"earshot pause\".")
    var here = false

    @Option(
        help: ArgumentHelp("Read commands from standard input, one per line; the value is -.", valueName: "-"),
        transform: Self.standardInput(parsing:))
    var commands: CommandSource?

    enum CommandSource: Sendable { case standardInput }

    func validate() throws {
        guard !(events.json && output?.isStandardOutput == true) else {
            throw ValidationError("--json and audio samples cannot both use standard output.")
        }
        guard show == nil || output?.isStandardOutput != true else {
            throw ValidationError("--show and audio samples cannot both use standard output.")
        }
        guard !endsBeforeStart else {
            throw ValidationError("--until must be later than \(from == nil ? "0" : "--from").")
        }
        guard bookmark == nil || from == nil && smart == nil && episode == nil && targets.count <= 1 else {
            throw ValidationError("--bookmark requires one episode at most, and neither --from, --episode nor --smart.")
        }
        guard bookmark == nil || podcast.podcast == nil || !targets.isEmpty else {
            throw ValidationError("Name an episode of the podcast.")
        }
        guard smart == nil || podcast.targets(targets).isEmpty else {
            throw ValidationError("Specify targets or --smart, not both.")
        }
        guard smart == nil || until == nil else {
            throw ValidationError("--until requires a last item: episodes enter a smart queue while it plays.")
        }
        try episode.map { try podcast.check($0, targets) }
    }

    func run() async throws {
        try await PlaySession.run(options).check()
    }

    /// Returns the options in these arguments; `nil` if they are wrong or ask for help.
    static func parsed(_ arguments: [String]) -> PlayOptions? { try? parse(arguments).options }

    /// True if `--from` and `--until` apply to the same item and `--until` is not later.
    private var endsBeforeStart: Bool {
        guard let until, podcast.targets(targets).count == 1, episode != .all else { return false }
        return switch (from.map { $0.time ?? .time(.zero) } ?? .time(.zero), until) {
        case (.time(let start), .time(let end)): end <= start
        case (.fraction(let start), .fraction(let end)): end <= start
        case (_, .fraction(let end)): end == 0
        case (_, .time(let end)), (_, .estimated(let end, _)): end == .zero
        }
    }

    private var options: PlayOptions {
        PlayOptions(
            targets: podcast.targets(targets), list: smart.map { .smartQueue(named: $0) } ?? .queue,
            scope: podcast.scope(of: targets), episode: episode, output: output, bookmark: bookmark, from: from,
            until: until, volume: volume,
            sound: SoundChanges(
                speed: speed, silenceTrimming: trimSilence, loudness: loudness, boostsVoice: voiceBoost),
            sleep: sleep ?? nil, repeatMode: repeatMode, shown: show,
            session: session.options(quiet: verbosity.quiet, json: events.json),
            readsCommands: commands != nil, isApart: here)
    }

    private static func standardInput(parsing text: String) throws -> CommandSource {
        guard text == "-" else {
            throw ArgumentError("commands are read from standard input only: write --commands -")
        }
        return .standardInput
    }
}
