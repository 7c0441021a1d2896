// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import TerminalInterface

struct LoopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop",
        abstract: "Repeats a section of an episode or of an audio file.",
        usage: "earshot loop TARGET A-B [OPTIONS]",
        discussion: """
            A target is the path or URL of an audio file (MP3, WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus; of a URL MP3 \
            alone), or the number or title words of an episode in the library. The section is played exactly to the \
            sample, over and over, until you quit or it was played as often as you said.

            For example:
              earshot loop lesson.mp3 1:02.5-1:07
              earshot loop "old harbour" 41:00-41:20 --times 5
              earshot loop solo.flac 12-16 --speed 0.75 --crossfade 0.02
              earshot loop song.mp3 30-34 --reverse --output wav:backwards.wav --times 1

            Keys:
              space               pause, and go on
              r                   play the other way round, from here
              [  ]                begin, end the section here
              ,  .                slower, faster
              left, j             the section from its beginning
              up, +  down, -      louder, softer
              q                   quit
            """)

    @Argument(help: ArgumentHelp("The path or URL of an audio file, or a name in the library.", valueName: "target"))
    var target: String

    @Argument(
        help: ArgumentHelp("From when to when: 1:00-1:30, 0-30, or 45:00- to the end.", valueName: "A-B"),
        transform: { try TimeSection(parsing: $0) })
    var section: TimeSection

    @Flag(help: "Play the section backward.")
    var reverse = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often it is played. (default: until you quit)", valueName: "count"))
    var times: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How fast it is played, 0.25 to 4; the pitch goes with it.", valueName: "factor"))
    var speed: Double = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds over which its end changes into its beginning.", valueName: "seconds"))
    var crossfade: Double = 0

    @Option(
        help: "Where the sound goes: pulse[:SINK], null, null:fast, wav:PATH or raw:PATH.",
        transform: { try OutputOption(parsing: $0) })
    var output: OutputOption = .pulse(sink: nil)

    @Flag(help: "Say only what goes wrong.")
    var quiet = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.", transform: LogLevel.parse)
    var logLevel: Logger.Level = .warning

    func validate() throws {
        if let times, times < 1 { throw ValidationError("--times wants a number from 1 on.") }
        guard (0.25...4).contains(speed) else { throw ValidationError("--speed is from 0.25 to 4.") }
        guard (0...10).contains(crossfade) else { throw ValidationError("--crossfade is from 0 to 10 seconds.") }
        if output.isOffline, times == nil { throw ValidationError("Without a listener it wants an end: use --times.") }
    }

    func run() async throws {
        let status = await LoopSession.run(
            LoopOptions(
                target: target,
                play: SectionPlayback(
                    section: section, times: times, isReversed: reverse, crossfade: .seconds(crossfade), speed: speed),
                output: output, quiet: quiet, keepFolder: keepDir, logLevel: logLevel))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}
