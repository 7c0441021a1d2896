// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioFiles
import Sessions
import TerminalInterface

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Write audio files, or sections of them, to one file.",
        usage: "earshot render INPUT... -o FILE [OPTIONS]",
        discussion: """
            An input is the path or URL of an audio file, or the name of an episode in the library, optionally with a \
            section: FILE@A-B. Several inputs are joined without gaps. Rendering runs faster than real time, is \
            accurate to the sample and gives the same result every time. The name of the output selects its format: \
            .wav, .aiff, .caf, .flac, .ogg (Vorbis) or .opus.

            For example:
              earshot render talk.mp3 -o talk.flac
              earshot render talk.mp3@41:00-43:30 -o excerpt.opus --channels 1
              earshot render intro.wav talk.mp3 outro.wav -o all.wav --rate 48000
              earshot render bell.flac@0-0.5 -o backwards.wav --reverse --times 4 --gain -6
            """)

    @Argument(
        help: ArgumentHelp("A file, a URL or a name in the library; FILE@A-B is a section.", valueName: "input"),
        transform: { try RenderInput(parsing: $0) })
    var inputs: [RenderInput]

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Play each input backward.")
    var reverse = false

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of times to write each input.", valueName: "count"))
    var times: Int = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The crossfade between the passes of an input, in seconds.", valueName: "seconds"))
    var crossfade: Double = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("The gain in decibels.", valueName: "dB"))
    var gain: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The sample rate in Hz. (default: that of the first input)", valueName: "Hz"))
    var rate: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of channels. (default: that of the first input)", valueName: "count"))
    var channels: Int?

    @Option(
        help: "The sample format: int16, int24, int32, float32 or float64. (default: int16)",
        transform: { try RenderOptions.encoding(parsing: $0) })
    var sample: AudioFileEncoding?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The quality of Vorbis and Opus, 0 (smallest) to 1 (best).", valueName: "0...1"))
    var quality: Double?

    @OptionGroup var verbosity: QuietOption
    @OptionGroup var session: SessionOptionGroup

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("Specify at least one input.") }
        guard times >= 1 else { throw ValidationError("--times must be at least 1.") }
        guard (0...10).contains(crossfade) else { throw ValidationError("--crossfade must be 0 to 10 seconds.") }
        guard (-120...60).contains(gain) else { throw ValidationError("--gain must be -120 to 60 decibels.") }
        let rates = AudioFileFormat.sampleRates
        guard rates.contains(rate ?? rates.upperBound) else {
            throw ValidationError("--rate must be \(rates.lowerBound) to \(rates.upperBound).")
        }
        guard (1...64).contains(channels ?? 1) else { throw ValidationError("--channels must be 1 to 64.") }
        guard (0...1).contains(quality ?? 0) else { throw ValidationError("--quality must be 0 to 1.") }
        guard sample == nil || quality == nil else {
            throw ValidationError("Use --sample for lossless or --quality for lossy formats, not both.")
        }
        try checkFile()
    }

    private var encoding: AudioFileEncoding? { quality.map { .lossy(quality: $0) } ?? sample }

    /// Checks that the options are consistent, for any inputs.
    private func checkFile() throws {
        let file = AudioFileFormat(
            type: try AudioFileType(ofOutput: output), sampleRate: rate ?? 48000, channels: channels ?? 2,
            encoding: encoding)
        if let refusal = file.refusal { throw ValidationError("Cannot write \"\(output)\": \(refusal).") }
    }

    func run() async throws {
        try await RenderSession.run(
            RenderOptions(
                inputs: inputs, output: output, type: try AudioFileType(ofOutput: output), replaces: force,
                play: SectionPlayback(times: times, isReversed: reverse, crossfade: .seconds(crossfade)),
                decibels: gain, sampleRate: rate, channels: channels, encoding: encoding,
                session: session.options(quiet: verbosity.quiet))
        ).check()
    }
}

extension AudioFileType {
    /// The type of a file to write, which its name selects.
    init(ofOutput output: String) throws(ValidationError) {
        let name = output.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst().last ?? ""
        guard let type = AudioFileType(pathExtension: String(ending)), type.isWritable else {
            throw ValidationError(
                "Unknown format of \"\(output)\": use .wav, .aiff, .caf, .flac, .ogg or .opus.")
        }
        self = type
    }
}
