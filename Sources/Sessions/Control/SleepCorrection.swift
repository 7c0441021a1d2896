// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The sleep timer that clients compute from the last event, and the need to correct it. A pure value.
struct SleepCorrection: Sendable {
    /// The error from which clients are corrected.
    private static let tolerance = Duration.seconds(1)

    private var timer: SleepTimer?
    private var at = Duration.zero
    /// True if the timer has counted since then.
    private var isCounting = false

    /// Returns true if the timer was set, changed or removed since the last status: it only loses the time that passes
    /// while sound plays.
    mutating func update(_ status: PlayerStatus, at now: Duration) -> Bool {
        defer { (timer, at, isCounting) = (status.sleep, now, status.rate > 0) }
        guard case .after(let last) = timer, case .after(let left) = status.sleep else { return status.sleep != timer }
        let passed = isCounting ? now - at : .zero
        return left > last + Self.tolerance || left < last - passed - Self.tolerance
    }
}
