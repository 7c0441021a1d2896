// SPDX-License-Identifier: GPL-3.0-or-later

/// The reporter for the options and for the kind of standard error.
public enum ReporterChoice: Sendable, Equatable {
    case statusLine
    case plain
    case quiet
    case json

    /// - Parameter isTerminal: true if standard error is a terminal.
    public init(quiet: Bool, json: Bool, isTerminal: Bool, environment: (String) -> String?) {
        if json {
            self = .json
        } else if quiet {
            self = .quiet
        } else {
            let canRedraw = LineStyle.canRedraw(isTerminal: isTerminal, environment: environment)
            self = canRedraw ? .statusLine : .plain
        }
    }

    public func reporter(width: Int, style: LineStyle) -> any PlaybackReporter {
        switch self {
        case .statusLine: StatusLineReporter(width: width, style: style)
        case .plain: PlainReporter(style: style)
        case .quiet: QuietReporter()
        case .json: JSONReporter()
        }
    }
}
