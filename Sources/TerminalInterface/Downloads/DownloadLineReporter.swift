// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A reporter that redraws one line at the bottom of a terminal; messages and paths scroll above it.
struct DownloadLineReporter: DownloadReporter {
    /// Carriage return and erase to the end of the line (ECMA-48 8.3.41, EL).
    private static let clear = "\r\u{1B}[K"

    private var width: Int
    private let style: LineStyle
    private var shown = ""
    private var isInBackground = false

    init(width: Int, style: LineStyle) {
        self.width = width
        self.style = style
    }

    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] { refresh(progress, at: now) }

    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        refresh(progress, at: now)
    }

    mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        // The last column stays free: erasing after a line that fills it would erase its last character.
        let line = DownloadLine.render(progress, width: width - 1, style: style)
        guard line != shown, !isInBackground else { return [] }
        shown = line
        return [.error(Self.clear + line)]
    }

    mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] { scroll([.output(path + "\n")]) }

    mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText] {
        scroll([Sentence.failure(failure, about: subject)])
    }

    mutating func setBackground(_ isInBackground: Bool) -> [ReportText] {
        self.isInBackground = isInBackground
        return isInBackground ? finish() : []
    }

    mutating func redraw(width: Int) {
        self.width = width
        shown = ""
    }

    /// Leaves the last line readable above the prompt.
    mutating func finish() -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? [] : [.error("\n")]
    }

    private mutating func scroll(_ texts: [ReportText]) -> [ReportText] {
        defer { shown = "" }
        return shown.isEmpty ? texts : [.error(Self.clear)] + texts
    }
}
