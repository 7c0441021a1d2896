// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioFiles
import Logging
import TerminalInterface

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Writes files, or sections of them, to one file.",
        usage: "earshot render INPUT... -o FILE [OPTIONS]",
        discussion: """
            An input is the path or URL of an audio file, or the name of an episode in the library, and may carry a \
            section: FILE@A-B. Several are joined without a gap. It is done as fast as the machine can, exactly to \
            the sample, and the same every time. The name says what is written: .wav, .aiff, .caf, .flac, .ogg \
            (Vorbis) or .opus.

            For example:
              earshot render talk.mp3 -o talk.flac
              earshot render talk.mp3@41:00-43:30 -o excerpt.opus --channels 1
              earshot render intro.wav talk.mp3 outro.wav -o all.wav --rate 48000
              earshot render bell.flac@0-0.5 -o backwards.wav --reverse --times 4 --gain -6
            """)

    @Argument(
        help: ArgumentHelp("A file, a URL or a name in the library; FILE@A-B is a section of it.", valueName: "input"),
        transform: { try RenderInput(parsing: $0) })
    var inputs: [RenderInput]

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The file to be written.", valueName: "file"))
    var output: String

    @Flag(help: "Replace the file where there is one.")
    var force = false

    @Flag(help: "Each input backward.")
    var reverse = false

    @Option(parsing: .unconditional, help: ArgumentHelp("How often each input comes.", valueName: "count"))
    var times: Int = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds over which the end of an input changes into its next pass.", valueName: "seconds"))
    var crossfade: Double = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Louder or softer by so many decibels.", valueName: "dB"))
    var gain: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("PCM frames a second. (default: the first input's)", valueName: "Hz"))
    var rate: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Channels. (default: the first input's)", valueName: "count"))
    var channels: Int?

    @Option(
        help: "How samples are stored: int16, int24, int32, float32 or float64. (default: int16)",
        transform: { try RenderOptions.encoding(parsing: $0) })
    var sample: AudioFileEncoding?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Of Vorbis and Opus, 0 (smallest) to 1 (best).", valueName: "0...1"))
    var quality: Double?

    @Flag(help: "Say only what goes wrong.")
    var quiet = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.", transform: LogLevel.parse)
    var logLevel: Logger.Level = .warning

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("Say what is to be rendered.") }
        guard times >= 1 else { throw ValidationError("--times wants a number from 1 on.") }
        guard (0...10).contains(crossfade) else { throw ValidationError("--crossfade is from 0 to 10 seconds.") }
        guard (-120...60).contains(gain) else { throw ValidationError("--gain is from -120 to 60 decibels.") }
        let rates = Self.lowestRate...AudioFileFormat.sampleRates.upperBound
        guard rates.contains(rate ?? rates.upperBound) else {
            throw ValidationError("--rate is from \(rates.lowerBound) to \(rates.upperBound).")
        }
        guard (1...64).contains(channels ?? 1) else { throw ValidationError("--channels is from 1 to 64.") }
        guard (0...1).contains(quality ?? 0) else { throw ValidationError("--quality is from 0 to 1.") }
        guard sample == nil || quality == nil else {
            throw ValidationError("--sample stores every sample, --quality what is heard of them: use one of them.")
        }
        try checkFile()
    }

    /// No sound is slower, and a rate can be converted to a 63rd at least.
    private static let lowestRate = 1000

    private var encoding: AudioFileEncoding? { quality.map { .lossy(quality: $0) } ?? sample }

    /// What is asked for must fit together, whatever the inputs are.
    private func checkFile() throws {
        let file = AudioFileFormat(
            type: try fileType(), sampleRate: rate ?? 48000, channels: channels ?? 2, encoding: encoding)
        if let refusal = file.refusal { throw ValidationError("'\(output)' cannot be written like that: \(refusal).") }
    }

    func run() async throws {
        let status = await RenderSession.run(
            RenderOptions(
                inputs: inputs, output: output, type: try fileType(), replaces: force,
                play: SectionPlayback(times: times, isReversed: reverse, crossfade: .seconds(crossfade)),
                decibels: gain,
                sampleRate: rate, channels: channels, encoding: encoding, quiet: quiet, keepFolder: keepDir,
                logLevel: logLevel))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }

    private func fileType() throws -> AudioFileType {
        let name = output.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst().last ?? ""
        guard let type = AudioFileType(pathExtension: String(ending)), type != .mp3 else {
            throw ValidationError(
                "'\(output)' does not say what to write: end it with .wav, .aiff, .caf, .flac, .ogg or .opus.")
        }
        return type
    }
}
