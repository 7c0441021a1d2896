// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The sleep timer that clients compute from the last event, and the need to correct it. A pure value.
struct SleepCorrection: Sendable {
    /// The error from which clients are corrected.
    private static let tolerance = Duration.seconds(1)

    /// The timer that clients show at the time `at`.
    private var timer: SleepTimer?
    private var at = Duration.zero
    /// True if the timer has counted since then.
    private var isCounting = false

    /// Returns true if the timer differs from that of the clients, which only loses the time that passes while sound
    /// plays.
    mutating func update(_ status: PlayerStatus, at now: Duration) -> Bool {
        let passed = isCounting ? now - at : .zero
        (at, isCounting) = (now, status.rate > 0)
        if case .after(let last) = timer, case .after(let left) = status.sleep {
            timer = .after(max(.zero, last - passed))
            let error = left - (last - passed)
            if max(error, .zero - error) <= Self.tolerance { return false }
        } else if status.sleep == timer {
            return false
        }
        timer = status.sleep
        return true
    }
}
