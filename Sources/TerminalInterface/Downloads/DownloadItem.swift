// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The progress of one download.
public struct DownloadItem: Sendable, Equatable {
    /// The number of the download, from 1, in the order of their starts.
    public let number: Int
    public let title: String
    /// The podcast's title; `nil` for a single URL.
    public let podcast: String?
    /// The URL or path without credentials and query, safe to show.
    public let location: String
    public var progress: DownloadProgress

    public init(number: Int, title: String, podcast: String?, location: String, downloadProgress: DownloadProgress) {
        self.number = number
        self.title = title
        self.podcast = podcast
        self.location = location
        self.progress = downloadProgress
    }

    /// The percentage, rounded down: only a complete file has 100. `nil` if the length is unknown.
    var percent: Int? {
        if progress.condition == .complete { return 100 }
        guard let total = progress.total, total > 0 else { return nil }
        return min(99, Int(Double(max(0, progress.extents.count)) / Double(total) * 100))
    }

    /// The estimated time left, at the rate of the last seconds. `nil` if the length or the rate is unknown.
    var timeLeft: Duration? {
        guard let total = progress.total, let rate = progress.bytesPerSecond, rate >= 1 else { return nil }
        // Rounded up, so that the last second is shown as 1.
        return .seconds(min((Double(max(0, total - progress.extents.count)) / rate).rounded(.up), 1e9))
    }

    var name: String { podcast.map { $0 + " - " + title } ?? title }
}
