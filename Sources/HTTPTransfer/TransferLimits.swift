// SPDX-License-Identifier: GPL-3.0-or-later

/// The timeouts of a transfer.
public struct TransferLimits: Sendable, Equatable {
    /// The timeout of name lookup, TCP and TLS together, at each hop.
    public var connect: Duration
    /// The timeout from the request to the first byte of the response body, at each hop.
    public var responseTimeout: Duration
    /// The timeout between two bytes of a body.
    public var stallTimeout: Duration
    /// The minimum mean speed of a feed, in bytes per second.
    public var leastSpeed: Int
    /// The time after which a feed slower than `leastSpeed` fails.
    public var slowTime: Duration

    public init(
        connect: Duration = .seconds(10), answer: Duration = .seconds(10), silence: Duration = .seconds(10),
        leastSpeed: Int = 1000, slowTime: Duration = .seconds(30)
    ) {
        self.connect = connect
        self.responseTimeout = answer
        self.stallTimeout = silence
        self.leastSpeed = leastSpeed
        self.slowTime = slowTime
    }
}
