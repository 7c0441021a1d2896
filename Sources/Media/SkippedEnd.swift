// SPDX-License-Identifier: GPL-3.0-or-later

/// The end of an item that the listener does not want to hear. It is skipped only if the exact duration is known:
/// a stated one may be that of the first of several joined files.
public struct SkippedEnd: Sendable, Equatable {
    /// More than zero.
    public let length: Duration
    /// The duration below which nothing is skipped.
    public let leastDuration: Duration

    /// Returns the skipped end of an item whose beginning may be skipped, too: both together are at most a third of it.
    /// - Returns: `nil` if `length` is zero.
    public init?(_ length: Duration, besides beginning: Duration) {
        guard length > .zero else { return nil }
        self.length = length
        leastDuration = (length + beginning) * 3
    }

    /// Returns the time to stop at; `nil` if the end is not skipped.
    /// - Parameter position: the position of playback. In the skipped part, the listener chose it.
    public func stop(in duration: MediaDuration, from position: Duration) -> Duration? {
        guard case .exact(let duration) = duration, duration >= leastDuration, position < duration - length else {
            return nil
        }
        return duration - length
    }
}
