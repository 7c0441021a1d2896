// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import Logging
import TerminalInterface

/// What `earshot render` was asked to do.
struct RenderOptions: Sendable {
    /// In this order, joined.
    var inputs: [RenderInput]
    var output: String
    var type: AudioFileType
    /// Whether a file that is there may be replaced.
    var replaces: Bool
    /// Of each input; the section is the input's.
    var play: SectionPlayback
    var decibels: Double
    /// `nil`: as the first input.
    var sampleRate: Int?
    var channels: Int?
    /// `nil`: what files of that kind mostly have.
    var encoding: AudioFileEncoding?
    var quiet: Bool
    /// `nil`: the folder of the XDG base directory specification.
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
            throw ArgumentError("'\(text)' is no kind of sample: write int16, int24, int32, float32 or float64")
        }
    }
}
