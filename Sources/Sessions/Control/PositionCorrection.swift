// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The position that clients compute from the last event, and the need to correct it. A pure value.
struct PositionCorrection: Sendable {
    /// The error from which clients are corrected.
    private static let tolerance = Duration.milliseconds(200)

    private var item: PlaybackItem.ID?
    private var position: Duration?
    private var at = Duration.zero
    private var rate = 0.0

    /// Returns true if clients must be told the position, and assumes that they are.
    mutating func update(_ status: PlayerStatus, at now: Duration) -> Bool {
        guard isWrong(status, at: now) else { return false }
        assume(status, at: now)
        return true
    }

    private mutating func assume(_ status: PlayerStatus, at now: Duration) {
        (item, position, at, rate) = (status.item?.id, status.position, now, status.rate)
    }

    private func isWrong(_ status: PlayerStatus, at now: Duration) -> Bool {
        guard status.item?.id == item, status.rate == rate, (status.position == nil) == (position == nil) else {
            return true
        }
        guard let position, let present = status.position else { return false }
        let error = present - (position + (now - at) * rate)
        return error > Self.tolerance || error < .zero - Self.tolerance
    }
}
