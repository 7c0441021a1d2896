// SPDX-License-Identifier: GPL-3.0-or-later

/// How long a transfer may stay without success.
public struct TransferLimits: Sendable, Equatable {
    /// For name lookup, TCP and TLS together.
    public var connect: Duration
    /// A transfer slower than this, in bytes a second, ...
    public var leastSpeed: Int
    /// ... for this long (whole seconds) is given up; the wait for the first byte counts as slow.
    public var slowTime: Duration

    public init(connect: Duration = .seconds(10), leastSpeed: Int = 1000, slowTime: Duration = .seconds(15)) {
        self.connect = connect
        self.leastSpeed = leastSpeed
        self.slowTime = slowTime
    }
}
