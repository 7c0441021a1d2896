// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A reporter that redraws one line at the bottom of a terminal; messages and paths scroll above it.
struct DownloadLineReporter: DownloadReporter {
    private var line: RedrawnLine
    private let style: LineStyle

    init(width: Int, style: LineStyle) {
        line = RedrawnLine(width: width)
        self.style = style
    }

    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] { refresh(progress, at: now) }
    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] { refresh(progress, at: now) }

    mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        line.draw { [style] in DownloadLine.render(progress, width: $0, style: style) }
    }

    mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] { line.scroll([.output(path + "\n")]) }

    mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText] {
        line.scroll([Sentence.failure(failure, about: subject)])
    }

    mutating func finish() -> [ReportText] { line.leave() }
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { line.setBackground(isInBackground) }
    mutating func redraw(width: Int) { line.redraw(width: width) }
}
