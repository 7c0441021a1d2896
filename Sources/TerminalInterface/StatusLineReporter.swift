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

    public init(width: Int, style: LineStyle) {
        self.width = width
        self.style = style
    }

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        guard let sentence = Sentence.event(event) else { return refresh(status, at: now) }
        return scroll(sentence) + refresh(status, at: now)
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
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
        scroll(Sentence.failure(failure, about: subject))
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
