// SPDX-License-Identifier: GPL-3.0-or-later
import Logging
import TerminalInterface

/// The options of `earshot loop`.
struct LoopOptions: Sendable {
    var target: String
    var play: SectionPlayback
    var output: OutputOption
    var quiet: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
}

extension OutputOption {
    /// True if the output is not played in real time.
    var isOffline: Bool {
        switch self {
        case .pulse, .null: false
        case .nullFast, .wav, .raw: true
        }
    }
}
