// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import Logging
import TerminalInterface

/// The options of `earshot render`.
struct RenderOptions: Sendable {
    /// The inputs in output order.
    var inputs: [RenderInput]
    var output: String
    var type: AudioFileType
    /// True to replace an existing file.
    var replaces: Bool
    /// The playback of each input; the section comes from the input.
    var play: SectionPlayback
    var decibels: Double
    /// The sample rate; `nil` for that of the first input.
    var sampleRate: Int?
    var channels: Int?
    /// The encoding; `nil` for the default of the file type.
    var encoding: AudioFileEncoding?
    var quiet: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level

    static func encoding(parsing text: String) throws(ArgumentError) -> AudioFileEncoding {
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
}
