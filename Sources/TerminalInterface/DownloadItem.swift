// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How far one download has come.
public struct DownloadItem: Sendable, Equatable {
    /// From 1, in the order in which downloads begin.
    public let number: Int
    public let title: String
    /// The podcast's title; `nil` for an address named by itself.
    public let podcast: String?
    /// Fit to be shown: without credentials and query.
    public let location: String
    public var progress: DownloadProgress

    public init(number: Int, title: String, podcast: String?, location: String, downloadProgress: DownloadProgress) {
        self.number = number
        self.title = title
        self.podcast = podcast
        self.location = location
        self.progress = downloadProgress
    }

    /// Of 100, cut: 100 is said of a whole file only. `nil` where the length is unknown.
    var percent: Int? {
        if progress.condition == .complete { return 100 }
        guard let total = progress.total, total > 0 else { return nil }
        return min(99, Int(Double(max(0, progress.extents.count)) / Double(total) * 100))
    }

    /// An estimate: what is left, at the rate of the last seconds. `nil` where either is unknown.
    var timeLeft: Duration? {
        guard let total = progress.total, let rate = progress.bytesPerSecond, rate >= 1 else { return nil }
        // Rounded up: the last second is a second.
        return .seconds(min((Double(max(0, total - progress.extents.count)) / rate).rounded(.up), 1e9))
    }

    var name: String { podcast.map { $0 + " - " + title } ?? title }
}
