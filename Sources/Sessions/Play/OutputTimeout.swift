// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback
import TerminalInterface

/// The timeout of a session without a sound output: ten minutes, or none if a person can end the session. A pure value
/// on the caller's clock.
public struct OutputTimeout: Sendable, Equatable {
    private static let limit = Duration.seconds(600)

    private let isAttended: Bool
    private var unavailableSince: Duration?

    /// - Parameter isAttended: true if the session receives keys or commands.
    public init(isAttended: Bool) { self.isAttended = isAttended }

    public mutating func interrupted(at now: Duration) { unavailableSince = now }
    public mutating func restored() { unavailableSince = nil }

    /// Counts from now on if playback is paused without an output, because none is needed then. The activity may name
    /// the missing device instead of the pause.
    public mutating func postpone(_ status: PlayerStatus, at now: Duration) {
        if status.isPaused, unavailableSince != nil { unavailableSince = now }
    }

    /// True while the output is unavailable and the session retries.
    public var isWaiting: Bool { unavailableSince != nil }

    /// Returns the failure that ends the session after the timeout; otherwise `nil`.
    public func failure(_ status: PlayerStatus, at now: Duration) -> MediaFailure? {
        failure(givenUpAt: ClockText.position(status), now)
    }

    /// Returns the failure that ends the session after the timeout; otherwise `nil`.
    /// - Parameter position: the position in the recording.
    public func failure(_ position: Duration, at now: Duration) -> MediaFailure? {
        failure(givenUpAt: ClockText.time(position), now)
    }

    private func failure(givenUpAt place: String, _ now: Duration) -> MediaFailure? {
        guard isOver(at: now) else { return nil }
        return MediaFailure(.unavailable, "unavailable for ten minutes; stopped at \(place)")
    }

    private func isOver(at now: Duration) -> Bool {
        guard !isAttended, let unavailableSince else { return false }
        return now - unavailableSince > Self.limit
    }
}
