// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// How long a session goes on without a sound output: as long as somebody can end it, else ten minutes. A pure value on
/// the caller's clock.
public struct OutputTimeout: Sendable, Equatable {
    private static let limit = Duration.seconds(600)

    private let isAttended: Bool
    private var awaySince: Duration?

    /// - Parameter isAttended: whether keys or commands can reach the session.
    public init(isAttended: Bool) { self.isAttended = isAttended }

    public mutating func interrupted(at now: Duration) { awaySince = now }
    public mutating func restored() { awaySince = nil }

    /// The output has gone and is tried again.
    public var isWaiting: Bool { awaySince != nil }

    /// - Returns: why the session ends, where it does.
    public func failure(_ status: PlayerStatus, at now: Duration) -> MediaFailure? {
        failure(givenUpAt: ClockText.position(status), now)
    }

    /// - Parameter position: how far into the recording it is.
    /// - Returns: why the session ends, where it does.
    public func failure(_ position: Duration, at now: Duration) -> MediaFailure? {
        failure(givenUpAt: ClockText.time(position), now)
    }

    private func failure(givenUpAt place: String, _ now: Duration) -> MediaFailure? {
        guard isOver(at: now) else { return nil }
        return MediaFailure(.unavailable, "none for ten minutes; given up at \(place)")
    }

    private func isOver(at now: Duration) -> Bool {
        guard !isAttended, let awaySince else { return false }
        return now - awaySince > Self.limit
    }
}
