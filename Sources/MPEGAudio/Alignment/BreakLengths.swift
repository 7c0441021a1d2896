// SPDX-License-Identifier: GPL-3.0-or-later

/// The lengths of advertisement breaks in packets.
public struct BreakLengths: Sendable, Equatable {
    /// The longest possible break: 6 minutes.
    ///
    /// The limit applies to three questions, because each asks whether a span may be a break. (1) How far the new
    /// version must continue after the last common run before the packets played since then count as a break. (2) How
    /// far apart the same packets may lie and still count as the same position, because an advertisement may have
    /// moved to another break. (3) When to stop the search.
    public let longestBreak: Int64
    /// The longest beginning without a common run that is played again instead of being treated as part of another
    /// encoding: 90 seconds.
    public let longestOpening: Int64

    /// The lengths for MPEG audio of 44.1 kHz.
    public static let mpeg = BreakLengths(packetsPerSecond: 44_100 / 1152)

    public init(packetsPerSecond: Double) {
        let rate = min(max(packetsPerSecond, 0), 10_000)
        (longestBreak, longestOpening) = (Int64((rate * 360).rounded(.up)), Int64((rate * 90).rounded(.up)))
    }
}
