// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// One line at the bottom of a terminal, drawn over itself; sentences scroll past above it.
public struct StatusLineReporter: PlaybackReporter {
    /// Back to the first column, and everything from there on erased (ECMA-48 8.3.41, EL).
    private static let clear = "\r\u{1B}[K"

    private var width: Int
    private let style: LineStyle
    private var shown = ""
    private var isInBackground = false
    /// Something went wrong since the last item began.
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
        return Sentence.note("\(reason.reason): paused. Space plays on another")
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        // The error says all there is to say.
        if hasFailed && status.activity.isOver || status.item == nil && status.activity == .ended { return [] }
        // The last column stays free: erasing behind a line that fills it would take its last character away.
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

    /// The last line stays readable above the prompt.
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
