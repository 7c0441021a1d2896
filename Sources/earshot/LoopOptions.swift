// SPDX-License-Identifier: GPL-3.0-or-later
import Logging
import TerminalInterface

/// What `earshot loop` was asked to do.
struct LoopOptions: Sendable {
    var target: String
    var play: SectionPlayback
    var output: OutputOption
    var quiet: Bool
    /// `nil`: the folder of the XDG base directory specification.
    var keepFolder: String?
    var logLevel: Logger.Level
}

extension OutputOption {
    /// Nobody listens meanwhile: the file is as it is written, however long that takes.
    var isOffline: Bool {
        switch self {
        case .pulse, .null: false
        case .nullFast, .wav, .raw: true
        }
    }
}
