// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// The positions of the next moments of playback. A status is published a few times a second; with the forecast it
/// shows the position at the time at which it is read.
struct PositionForecast: Sendable, Equatable {
    /// Ascending; not empty. Between two points the position moves linearly.
    private let points: [RenderedTimeline.Waypoint]
    private let format: AudioFormat
    private let times: ShownTimes
    /// The frame of the device that was heard when the forecast was made.
    private let heard: Int64
    private let made: ContinuousClock.Instant

    /// - Returns: `nil` without points.
    init?(
        _ points: [RenderedTimeline.Waypoint], _ format: AudioFormat, _ times: ShownTimes, heard: Int64,
        made: ContinuousClock.Instant
    ) {
        guard !points.isEmpty else { return nil }
        (self.points, self.format, self.times, self.heard, self.made) = (points, format, times, heard, made)
    }

    /// Returns the position at a time; after the last point, that of the last point.
    func position(at time: ContinuousClock.Instant) -> Duration {
        let frame = heard + format.frames(in: time - made)
        return times.position(at: format.duration(ofFrames: sourceFrame(at: frame)))
    }

    private func sourceFrame(at frame: Int64) -> Int64 {
        let next = points.firstIndex { $0.outputFrame > frame } ?? points.count
        guard next > 0, next < points.count else { return points[max(0, next - 1)].sourceFrame }
        let (start, end) = (points[next - 1], points[next])
        let part = Double(frame - start.outputFrame) / Double(end.outputFrame - start.outputFrame)
        return start.sourceFrame + Int64((Double(end.sourceFrame - start.sourceFrame) * part).rounded())
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
