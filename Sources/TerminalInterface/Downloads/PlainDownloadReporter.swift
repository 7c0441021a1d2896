// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A reporter for outputs that cannot redraw a line: plain lines on standard error for the start, each problem and the
/// end.
struct PlainDownloadReporter: DownloadReporter {
    private let glyphs: LineStyle.Glyphs
    private var began = Duration.zero
    private var isInterrupted = false
    /// The current wait has been reported; its seconds count down.
    private var isWaiting = false

    init(style: LineStyle) { glyphs = style.glyphs }

    /// Reports the start: `downloading: The Podcast - An Episode, 12 MB of 50 MB on disk`.
    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        (began, isInterrupted) = (now, false)
        if progress.progress.condition == .complete { return [] }
        let here = progress.progress.extents.count
        let total = progress.progress.total.map { " of " + ClockText.size($0) } ?? ""
        return [line("downloading", progress, here > 0 ? ", \(ClockText.size(here))\(total) on disk" : "")]
    }

    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] {
        switch progress.progress.condition {
        case .connecting, .complete, .failed:
            isWaiting = false
            return []
        case .receiving:
            defer { (isInterrupted, isWaiting) = (false, false) }
            return isInterrupted ? [line("resumed", progress)] : []
        default:
            defer { (isInterrupted, isWaiting) = (true, true) }
            return isWaiting ? [] : [line(DownloadText(progress.progress).long, progress)]
        }
    }

    mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] {
        let size = ClockText.size(progress.progress.extents.count)
        let cost = wasKept ? ", already on disk" : ", \(size) in \(ClockText.time(now - began))"
        return [line("done", progress, cost), .output(path + "\n")]
    }

    private func line(_ words: String, _ progress: DownloadItem, _ more: String = "") -> ReportText {
        let ascii = glyphs == .ascii
        let (words, name) = (PrintableText(words, asciiOnly: ascii), PrintableText(progress.name, asciiOnly: ascii))
        return .error("\(words.text): \(name.text)\(more)\n")
    }
}
