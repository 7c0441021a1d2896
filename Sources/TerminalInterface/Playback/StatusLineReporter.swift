// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// A reporter that redraws one line at the bottom of a terminal; messages scroll above it.
public struct StatusLineReporter: PlaybackReporter {
    private var line: RedrawnLine
    private let style: LineStyle
    /// True if an error was reported since the last item started.
    private var hasFailed = false

    public init(width: Int, style: LineStyle) {
        line = RedrawnLine(width: width)
        self.style = style
    }

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        if case .itemStarted = event { hasFailed = false }
        hasFailed = hasFailed || event.isFailure
        guard let sentence = Self.sentence(event) else { return refresh(status, at: now) }
        return line.scroll([sentence]) + refresh(status, at: now)
    }

    private static func sentence(_ event: PlayerEvent) -> ReportText? {
        switch event {
        case .pausedByItself(let reason): Sentence.note("\(reason.reason): paused. Press space to play on another")
        case .sleepTimerEnded: Sentence.note("the sleep timer ended; press space to continue")
        default: Sentence.event(event)
        }
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        // The error message is sufficient.
        if hasFailed && status.activity.isOver || status.item == nil && status.activity == .ended { return [] }
        return line.draw { [style] in StatusLine.render(status, width: $0, style: style) }
    }

    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        answer.problem.map { line.scroll([Sentence.note($0)]) } ?? []
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        hasFailed = true
        return line.scroll([Sentence.failure(failure, about: subject)])
    }

    public mutating func report(_ cue: HeardCue) -> [ReportText] { line.scroll([cue.text]) }
    public mutating func note(_ sentence: String) -> [ReportText] { line.scroll([Sentence.note(sentence)]) }
    public mutating func finish() -> [ReportText] { line.leave() }
    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { line.setBackground(isInBackground) }
    public mutating func redraw(width: Int) { line.redraw(width: width) }
}
