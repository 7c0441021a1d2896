// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// The state of the output: its volume, its present outage, and the frames that the device took.
struct OutputSession {
    private(set) var volume: Double
    /// The source that the device pulls from; `nil` until the output is opened.
    private(set) var control: VolumeControl?
    /// The present outage; `nil` while the output is available.
    var outage: OutputOutage?
    /// True if the device asked for frames that were not available.
    var isStarved = false
    /// The frames that the device took, and those of them that it played.
    var timeline = RenderedTimeline()

    init(volume: Double) { self.volume = volume }

    /// Notes that the device pulls from `control`.
    mutating func open(_ control: VolumeControl) { self.control = control }

    /// Sets the volume within 0 ... 1.5; no effect if the value is not finite.
    mutating func setVolume(_ value: Double) {
        guard value.isFinite else { return }
        volume = max(0, min(1.5, value))
        control?.gain = volume
    }

    /// Starts an attempt to open the output again if one is due.
    /// - Returns: the number of the attempt; `nil` if none starts now.
    mutating func beginTry(at now: Duration) -> Int? { outage?.beginAttempt(at: now) == true ? outage?.attempts : nil }

    /// Ends attempt `number`.
    /// - Returns: the outage that is over; `nil` if the attempt failed or is outdated.
    mutating func endTry(_ number: Int, hasFailed: Bool, at now: Duration) -> OutputOutage? {
        guard outage?.isInProgress(number) == true else { return nil }
        guard hasFailed else { return outage.take() }
        outage?.failedTry(at: now)
        return nil
    }
}
