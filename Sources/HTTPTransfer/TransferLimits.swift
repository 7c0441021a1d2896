// SPDX-License-Identifier: GPL-3.0-or-later

/// How long a transfer may stay without success.
public struct TransferLimits: Sendable, Equatable {
    /// For name lookup, TCP and TLS together, at each hop.
    public var connect: Duration
    /// From the request to the first byte of its answer's body, at each hop.
    public var answer: Duration
    /// Between two bytes of a body.
    public var silence: Duration
    /// A feed that comes slower than this in the mean, in bytes a second, ...
    public var leastSpeed: Int
    /// ... and has been coming for longer than this is given up.
    public var slowTime: Duration

    public init(
        connect: Duration = .seconds(10), answer: Duration = .seconds(10), silence: Duration = .seconds(10),
        leastSpeed: Int = 1000, slowTime: Duration = .seconds(30)
    ) {
        self.connect = connect
        self.answer = answer
        self.silence = silence
        self.leastSpeed = leastSpeed
        self.slowTime = slowTime
    }
}
