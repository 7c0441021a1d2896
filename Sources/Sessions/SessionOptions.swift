// SPDX-License-Identifier: GPL-3.0-or-later
package import Logging
import TerminalInterface

/// The options of all sessions that read episodes.
package struct SessionOptions: Sendable {
    package var quiet: Bool
    package var json: Bool
    /// The download folder; `nil` for that of the XDG base directory specification.
    package var keepFolder: String?
    package var logLevel: Logger.Level

    package init(quiet: Bool, json: Bool = false, keepFolder: String? = nil, logLevel: Logger.Level) {
        self.quiet = quiet
        self.json = json
        self.keepFolder = keepFolder
        self.logLevel = logLevel
    }
}

extension SessionOptions {
    /// A reporter that draws nothing while another program has the terminal.
    var playbackReporter: any PlaybackReporter {
        var reporter = reporter.reporter(width: Terminal.width() ?? 80, style: style)
        _ = reporter.setBackground(Terminal.isShownInBackground)
        return reporter
    }

    /// A reporter that draws nothing while another program has the terminal.
    var downloadReporter: any DownloadReporter {
        var reporter = reporter.downloadReporter(width: Terminal.width() ?? 80, style: style)
        _ = reporter.setBackground(Terminal.isShownInBackground)
        return reporter
    }

    /// True if sentences that are not errors may be written for a person.
    var allowsNotes: Bool { !quiet && !json }

    func note(_ sentence: String) {
        if allowsNotes { StandardStreams.write([FailureText.note(sentence)]) }
    }

    private var style: LineStyle {
        LineStyle(isTerminal: Terminal.standardErrorIsTerminal, environment: CompositionRoot.environment)
    }

    private var reporter: ReporterChoice {
        ReporterChoice(
            quiet: quiet, json: json, isTerminal: Terminal.standardErrorIsTerminal,
            environment: CompositionRoot.environment)
    }
}
