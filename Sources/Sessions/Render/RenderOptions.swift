// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioFiles
package import Media
package import TerminalInterface

/// The options of `earshot render`.
package struct RenderOptions: Sendable {
    /// The inputs in output order.
    package var inputs: [RenderInput]
    package var output: String
    package var type: AudioFileType
    /// True to replace an existing file.
    package var replaces: Bool
    /// The playback of each input; the section comes from the input.
    package var play: SectionPlayback
    package var decibels: Double
    /// The sample rate; `nil` for that of the first input.
    package var sampleRate: Int?
    package var channels: Int?
    /// The encoding; `nil` for the default of the file type.
    package var encoding: AudioFileEncoding?
    /// The length of the fades at the beginning and at the end of the file.
    package var fade = Duration.zero
    /// Returns the tags of the file, given the section of the first input.
    package var tags: @Sendable (TimeSection?) -> AudioMetadata = { _ in AudioMetadata() }
    package var session: SessionOptions

    package static func encoding(parsing text: String) throws(ArgumentError) -> AudioFileEncoding {
        switch text {
        case "int16": return .int16
        case "int24": return .int24
        case "int32": return .int32
        case "float32": return .float32
        case "float64": return .float64
        default:
            throw ArgumentError("unknown sample format \"\(text)\": write int16, int24, int32, float32 or float64")
        }
    }

    package init(
        inputs: [RenderInput], output: String, type: AudioFileType, replaces: Bool, play: SectionPlayback,
        decibels: Double, sampleRate: Int? = nil, channels: Int? = nil, encoding: AudioFileEncoding? = nil,
        session: SessionOptions
    ) {
        self.inputs = inputs
        self.output = output
        self.type = type
        self.replaces = replaces
        self.play = play
        self.decibels = decibels
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding
        self.session = session
    }
}
