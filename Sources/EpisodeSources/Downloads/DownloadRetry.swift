// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The schedule on which a failed automatic download is retried. Pure.
enum DownloadRetry {
    private static let shortest = Duration.seconds(3600)
    private static let longest = Duration.seconds(86_400)

    /// Returns the time of the next attempt: the pause equals the time from the request to the last failure, but it
    /// is at least 1 hour and at most 1 day. The pauses are therefore 1, 2, 4 hours and so on, and finally one day.
    /// - Parameters:
    ///   - wanted: the time at which the download was requested.
    ///   - failed: the time of the last failure.
    static func next(after failed: UTCTime, wanted: UTCTime) -> UTCTime {
        let tried = Duration.seconds(failed.secondsSince1970) - .seconds(wanted.secondsSince1970)
        return failed.later(by: min(max(tried, shortest), longest))
    }
}
