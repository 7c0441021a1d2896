// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The positions of the next moments of playback. A status is published a few times a second; with the forecast it
/// shows the position at the time at which it is read.
struct PositionForecast: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        /// The time after the forecast was made.
        var after: Duration
        var position: Duration
    }

    private let made: ContinuousClock.Instant
    /// Ascending; not empty. Between two points the position moves linearly.
    private let points: [Point]

    /// - Returns: `nil` without points.
    init?(_ points: [Point], made: ContinuousClock.Instant) {
        guard !points.isEmpty else { return nil }
        (self.points, self.made) = (points, made)
    }

    /// Returns the position at a time; after the last point, that of the last point.
    func position(at time: ContinuousClock.Instant) -> Duration {
        let elapsed = time - made
        let last = points[points.count - 1]
        guard let next = points.firstIndex(where: { $0.after > elapsed }) else { return last.position }
        guard next > 0 else { return points[0].position }
        let (start, end) = (points[next - 1], points[next])
        return start.position + (end.position - start.position) * ((elapsed - start.after) / (end.after - start.after))
    }
}

extension PlayerStatus {
    /// Returns the status for a later time, by its forecast.
    func at(_ time: ContinuousClock.Instant) -> PlayerStatus {
        guard let forecast else { return self }
        var status = self
        status.position = forecast.position(at: time)
        status.forecast = nil
        return status
    }
}
