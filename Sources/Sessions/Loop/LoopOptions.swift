// SPDX-License-Identifier: GPL-3.0-or-later
package import Logging
package import TerminalInterface

/// The options of `earshot loop`.
package struct LoopOptions: Sendable {
    package var target: String
    package var play: SectionPlayback
    package var output: OutputOption
    package var quiet: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    package var keepFolder: String?
    package var logLevel: Logger.Level

    package init(
        target: String, play: SectionPlayback, output: OutputOption, quiet: Bool, keepFolder: String? = nil,
        logLevel: Logger.Level
    ) {
        self.target = target
        self.play = play
        self.output = output
        self.quiet = quiet
        self.keepFolder = keepFolder
        self.logLevel = logLevel
    }
}

extension OutputOption {
    /// True if the output is not played in real time.
    package var isOffline: Bool {
        switch self {
        case .pulse, .null: false
        case .nullFast, .wav, .raw: true
        }
    }
}
