// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reporter of downloads to a person or a program. Every reporter is a pure value that returns the texts to write.
public protocol DownloadReporter: Sendable {
    mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// Reports a new condition of the download.
    mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// Reports the current progress; called several times a second.
    mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText]

    /// Reports a complete download.
    /// - Parameters:
    ///   - path: the path of the episode.
    ///   - wasKept: true if the file was already complete and nothing was downloaded.
    mutating func finished(_ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration) -> [ReportText]

    /// Reports a failure.
    /// - Parameter number: the number of the download; `nil` if it did not start.
    mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText]

    /// Reports a downloaded file that `play` cannot decode.
    mutating func cannotPlay(_ failure: MediaFailure, about subject: String) -> [ReportText]

    /// Redraws after the terminal changed its width to `width` columns, or its contents.
    mutating func redraw(width: Int)

    /// Stops drawing while another program has the terminal, and draws again afterwards.
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText]

    /// Ends the report.
    mutating func finish() -> [ReportText]
}

/// The defaults that most reporters use.
extension DownloadReporter {
    public mutating func began(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }
    public mutating func changed(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }
    public mutating func refresh(_ progress: DownloadItem, at now: Duration) -> [ReportText] { [] }

    /// Writes the path unchanged to standard output, for scripts.
    public mutating func finished(
        _ progress: DownloadItem, path: String, wasKept: Bool, at now: Duration
    ) -> [ReportText] { [.output(path + "\n")] }

    public mutating func failed(_ failure: MediaFailure, about subject: String, number: Int?) -> [ReportText] {
        [Sentence.failure(failure, about: subject)]
    }

    public mutating func cannotPlay(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        failed(failure, about: subject, number: nil)
    }

    public mutating func redraw(width: Int) {}
    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { [] }
    public mutating func finish() -> [ReportText] { [] }
}

/// The reporter for `--quiet`: only errors and paths.
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
