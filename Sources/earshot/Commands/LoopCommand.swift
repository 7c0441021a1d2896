// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Sessions
import TerminalInterface

struct LoopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop",
        abstract: "Repeat a section of an episode or an audio file.",
        usage: "earshot loop TARGET A-B [OPTIONS]",
        discussion: """
            A target is the path or URL of an audio file (MP3, M4A, AAC, WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus), or \
            the number or title words of an episode in the library. The section repeats with sample accuracy until you \
            quit, or as many times as --times says.

            For example:
              earshot loop lesson.mp3 1:02.5-1:07
              earshot loop "old harbour" 41:00-41:20 --times 5
              earshot loop solo.flac 12-16 --speed 0.75 --crossfade 0.02
              earshot loop song.mp3 30-34 --reverse --output wav:backwards.wav --times 1

            Keys:
              space               pause, resume
              r                   reverse the direction
              [  ]                start, end the section here
              ,  .                slower, faster
              left, j             restart the section
              up, +  down, -      louder, softer
              q                   quit
            """)

    @Argument(help: ArgumentHelp("The path or URL of an audio file, or a name in the library.", valueName: "target"))
    var target: String

    @Argument(
        help: ArgumentHelp("The section: 1:00-1:30, 0-30, or 45:00- to the end.", valueName: "A-B"),
        transform: { try TimeSection(parsing: $0) })
    var section: TimeSection

    @Flag(help: "Play the section backward.")
    var reverse = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of passes. (default: until you quit)", valueName: "count"))
    var times: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The speed, 0.25 to 4, with unchanged pitch.", valueName: "factor"))
    var speed: Double = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The crossfade from the end to the start, in seconds.", valueName: "seconds"))
    var crossfade: Double = 0

    @Option(
        help: "The sound output: pulse[:SINK], null, null:fast, wav:PATH or raw:PATH.",
        transform: { try OutputOption(parsing: $0) })
    var output: OutputOption = .pulse(sink: nil)

    @OptionGroup var verbosity: QuietOption
    @OptionGroup var session: SessionOptionGroup

    func validate() throws {
        if let times, times < 1 { throw ValidationError("--times must be at least 1.") }
        guard (0.25...4).contains(speed) else { throw ValidationError("--speed must be 0.25 to 4.") }
        guard (0...10).contains(crossfade) else { throw ValidationError("--crossfade must be 0 to 10 seconds.") }
        if !output.isPaced, times == nil { throw ValidationError("Writing to a file requires --times.") }
    }

    func run() async throws {
        try await LoopSession.run(
            LoopOptions(
                target: target,
                play: SectionPlayback(
                    section: section, times: times, isReversed: reverse, crossfade: .seconds(crossfade), speed: speed),
                output: output, session: session.options(quiet: verbosity.quiet))
        ).check()
    }
}
