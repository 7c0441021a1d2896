// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// When what a rule wants, and could not be had, is asked for by itself once more. Pure.
enum DownloadRetry {
    private static let shortest = Duration.seconds(3600)
    private static let longest = Duration.seconds(86_400)

    /// As long after the last failure as it had been tried by then: so after 1, 2, 4 hours, and at last once a day.
    /// - Parameters:
    ///   - wanted: since when it has been.
    ///   - failed: the last time.
    static func next(after failed: UTCTime, wanted: UTCTime) -> UTCTime {
        let tried = Duration.seconds(failed.secondsSince1970) - .seconds(wanted.secondsSince1970)
        return failed.later(by: min(max(tried, shortest), longest))
    }
}
