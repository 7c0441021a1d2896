// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// A reporter that redraws one line at the bottom of a terminal; messages scroll above it.
public struct StatusLineReporter: PlaybackReporter {
    /// Carriage return and erase to the end of the line (ECMA-48 8.3.41, EL).
    private static let clear = "\r\u{1B}[K"

    private var width: Int
    private let style: LineStyle
    private var shown = ""
    private var isInBackground = false
    /// True if an error was reported since the last item started.
    private var hasFailed = false

    public init(width: Int, style: LineStyle) {
        self.width = width
        self.style = style
    }

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        if case .itemStarted = event { hasFailed = false }
        hasFailed = hasFailed || event.isFailure
        guard let sentence = Self.sentence(event) else { return refresh(status, at: now) }
        return scroll(sentence) + refresh(status, at: now)
    }

    private static func sentence(_ event: PlayerEvent) -> ReportText? {
        guard case .pausedByItself(let reason) = event else { return Sentence.event(event) }
        return Sentence.note("\(reason.reason): paused. Press space to play on another")
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        // The error message is sufficient.
        if hasFailed && status.activity.isOver || status.item == nil && status.activity == .ended { return [] }
        // The last column stays free: erasing after a line that fills it would erase its last character.
        let line = StatusLine.render(status, width: width - 1, style: style)
        guard line != shown, !isInBackground else { return [] }
        shown = line
        return [.error(Self.clear + line)]
    }

    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        answer.problem.map { scroll(Sentence.note($0)) } ?? []
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        hasFailed = true
        return scroll(Sentence.failure(failure, about: subject))
    }

    public mutating func note(_ sentence: String) -> [ReportText] { scroll(Sentence.note(sentence)) }

    /// Leaves the last line readable above the prompt.
    public mutating func finish() -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? [] : [.error("\n")]
    }

    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] {
        self.isInBackground = isInBackground
        return isInBackground ? finish() : []
    }

    public mutating func redraw(width: Int) {
        self.width = width
        shown = ""
    }

    private mutating func scroll(_ sentence: ReportText) -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? [sentence] : [.error(Self.clear), sentence]
    }
}
