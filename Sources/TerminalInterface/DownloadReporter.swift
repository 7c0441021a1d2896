// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Tells a person or a program how downloads go. Every reporter is a pure value: it says what to write, in order.
public protocol DownloadReporter: Sendable {
    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// The condition is another one.
    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// Called some times a second, also while nothing happens.
    mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// - Parameters:
    ///   - path: where the episode is.
    ///   - wasKept: nothing was fetched, for all of it was here.
    mutating func finished(_ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration) -> [ReportText]

    /// - Parameter number: that of the download; `nil` where there was none to begin.
    mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText]

    /// The terminal has `width` columns now, or shows something else.
    mutating func redraw(width: Int)

    /// Stops drawing while another program has the terminal, and draws again afterwards.
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText]

    /// Nothing follows.
    mutating func finish() -> [ReportText]
}

/// What most reporters say, or leave out.
extension DownloadReporter {
    public mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }
    public mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }
    public mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }

    /// The path is what a script asked for: as it is, on standard output.
    public mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] { [.output(path + "\n")] }

    public mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText] {
        [Sentence.failure(failure, about: subject)]
    }

    /// A file was downloaded that `play` cannot decode yet.
    public mutating func cannotPlay(_ format: String, about subject: String) -> [ReportText] {
        let reason = "this is \(format), which Earshot cannot play yet; it plays MP3"
        return [Sentence.failure(MediaFailure(.badData, reason), about: subject)]
    }

    public mutating func redraw(width: Int) {}
    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { [] }
    public mutating func finish() -> [ReportText] { [] }
}

/// `--quiet`: what went wrong, and the paths.
struct QuietDownloadReporter: DownloadReporter {}

extension ReporterChoice {
    public func downloadReporter(width: Int, style: LineStyle) -> any DownloadReporter {
        switch self {
        case .statusLine: DownloadLineReporter(width: width, style: style)
        case .plain: PlainDownloadReporter(style: style)
        case .quiet: QuietDownloadReporter()
        case .json: JSONDownloadReporter()
        }
    }
}
