// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The suspension of the device by the sound server, for example while another program uses the device: the device
/// keeps its frames and plays none. A pure value on the caller's clock.
struct DeviceSuspension: Sendable, Equatable {
    enum Change: Sendable, Equatable { case began, ended }

    /// A device that was idle counts as suspended until it has started. A shorter suspension is not reported.
    private static let startTime = Duration.seconds(2)

    /// The time since when the device should play; `nil` while it does, or need not.
    private var since: Duration?
    private var isReported = false

    /// True if the device should play but is suspended.
    var isSuspended: Bool { since != nil }

    /// The reason why nothing is heard; `nil` if the device plays, need not, or may be about to start.
    var reason: MediaFailure? {
        isSuspended && isReported ? MediaFailure(.unavailable, "the sound server has suspended the device") : nil
    }

    /// Notes the state of the device.
    /// - Parameter isWanted: true if the device should play.
    /// - Returns: the change to report; `nil` for none. A pause alone ends no suspension.
    mutating func update(isSuspended: Bool, isWanted: Bool, at now: Duration) -> Change? {
        let wasReported = isReported
        since = isSuspended && isWanted ? since ?? now : nil
        isReported = isSuspended && (isReported || since.map { now - $0 >= Self.startTime } ?? false)
        return isReported == wasReported ? nil : isReported ? .began : .ended
    }
}
