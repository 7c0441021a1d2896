// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The timeout of a session that waits for disk space: one minute, or none if a person can end the session. A pure
/// value on the caller's clock.
public struct DiskFullTimeout: Sendable, Equatable {
    public enum Change: Sendable, Equatable {
        /// The wait began, for this reason.
        case began(String)
        /// The failure that ends the session.
        case over(MediaFailure)
    }

    private static let limit = Duration.seconds(60)

    private let isAttended: Bool
    private var heldSince: Duration?

    /// - Parameter isAttended: true if a person can end the session.
    public init(isAttended: Bool) { self.isAttended = isAttended }

    /// Checks the download; called several times a second.
    public mutating func update(_ condition: DownloadProgress.Condition?, at now: Duration) -> Change? {
        guard case .held(let reason)? = condition else {
            heldSince = nil
            return nil
        }
        guard let heldSince else {
            heldSince = now
            return .began(reason)
        }
        guard !isAttended, now - heldSince > Self.limit else { return nil }
        return .over(MediaFailure(.inputOutput, "\(reason); no space was freed within a minute"))
    }
}
