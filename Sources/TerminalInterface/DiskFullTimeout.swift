// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How long a session waits for room on the disk: as long as somebody can end it, else a minute. A pure value on the
/// caller's clock.
public struct DiskFullTimeout: Sendable, Equatable {
    public enum Change: Sendable, Equatable {
        /// It waits from now on, for this reason.
        case began(String)
        /// Why the session ends.
        case over(MediaFailure)
    }

    private static let limit = Duration.seconds(60)

    private let isAttended: Bool
    private var heldSince: Duration?

    /// - Parameter isAttended: whether somebody can end the session.
    public init(isAttended: Bool) { self.isAttended = isAttended }

    /// To be called some times a second.
    public mutating func look(_ condition: DownloadProgress.Condition?, at now: Duration) -> Change? {
        guard case .held(let reason)? = condition else {
            heldSince = nil
            return nil
        }
        guard let heldSince else {
            heldSince = now
            return .began(reason)
        }
        guard !isAttended, now - heldSince > Self.limit else { return nil }
        return .over(MediaFailure(.inputOutput, "\(reason); nothing was freed within a minute"))
    }
}
