// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioFiles
import Media
import Sessions
import TerminalInterface

struct ClipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip",
        abstract: "Write a part of an episode to a file.",
        usage: "earshot clip EPISODE BOOKMARK|A-B --output FILE",
        discussion: """
            The part is a section such as 41:00-43:30 or 50%-60%, begins at a bookmark of the episode, or is a \
            soundbite of its feed. It fades in and out within 20 ms. The file's tags have the title with the times, \
            and the podcast. The name of the output selects its format: .wav, .aiff, .caf, .flac, .ogg (Vorbis) or \
            .opus.

            For example:
              earshot clip "rain on the old harbour" 41:00-43:30 --output harbour.opus
              earshot clip 12 "the song" --length 90 --output song.flac
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String

    @Argument(
        help: ArgumentHelp("A section (A-B), or the number or title of a bookmark or soundbite.", valueName: "part"))
    var part: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The length from a bookmark on: 30, 1:30. (default: 30, or that of the soundbite)", valueName: "time"),
        transform: { try Self.length(parsing: $0) })
    var length: Duration?

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var verbosity: QuietOption
    @OptionGroup var session: SessionOptionGroup

    func validate() throws {
        guard length.map({ $0 > .zero }) ?? true else { throw ValidationError("--length must be more than 0.") }
        _ = try AudioFileType(ofOutput: output)
        let part = try validated { () throws(ArgumentError) in try chosenPart }
        if case .section = part, length != nil {
            throw ValidationError("--length applies to a bookmark; a section has its own end.")
        }
    }

    /// A title of a bookmark may contain a hyphen, but consists of more than times.
    private var chosenPart: ClipOptions.Part {
        get throws(ArgumentError) {
            let isSection = part.contains("-") && part.allSatisfy { "0123456789:.%-".contains($0) }
            guard !isSection else { return .section(try SectionTarget(parsing: part)) }
            return .place(part, length: length)
        }
    }

    private static func length(parsing text: String) throws -> Duration {
        guard case .time(let length) = try TimeTarget(parsing: text) else {
            throw ArgumentError("invalid length \"\(text)\": write a time like 30 or 1:30")
        }
        return length
    }

    func run() async throws {
        try await ClipSession.run(
            ClipOptions(
                episode: episode, part: try chosenPart, output: output, type: try AudioFileType(ofOutput: output),
                replaces: force, session: session.options(quiet: verbosity.quiet))
        ).check()
    }
}
