// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// What can be played, what is missing and how fast it comes, at one instant: all that buffering is decided by.
public struct Supply: Sendable, Equatable {
    /// Sound that can be played without another byte, as media time.
    public var inHand: Duration
    /// Media time from the playhead to the end; `nil` while unknown.
    public var remaining: Duration?
    /// Bytes that have not arrived, from the playhead to the end; `nil` while the length is unknown.
    public var missing: Int64?
    /// Bytes per second of media, of the whole file where that is known; `nil` while it cannot be told.
    public var byteRate: Double?
    /// Bytes in front of the first sound, of a tag, that have not arrived.
    public var tag: Int64
    /// `nil` before the first byte of this run.
    public var throughput: Throughput?
    /// No further byte comes, or none for long: nothing is gained by waiting.
    public var isStill: Bool
    /// Seconds of media played in a second.
    public var speed: Double

    public init(
        inHand: Duration, remaining: Duration? = nil, missing: Int64? = nil, byteRate: Double? = nil,
        tag: Int64 = 0, throughput: Throughput? = nil, isStill: Bool = false, speed: Double = 1
    ) {
        self.inHand = inHand
        self.remaining = remaining
        self.missing = missing
        self.byteRate = byteRate
        self.tag = tag
        self.throughput = throughput
        self.isStill = isStill
        self.speed = speed
    }

    /// All is there.
    public var isWhole: Bool { missing == 0 }
}

/// The same in seconds of listening and bytes per second of it.
extension Supply {
    var hand: Double { inHand / .seconds(1) / speed }

    /// Seconds of listening until the end, where the length in bytes is known, too.
    var rest: Double? { missing == nil ? nil : remaining.map { $0 / .seconds(1) / speed } }

    /// Bytes that a second of listening takes, on average over the file.
    var need: Double? { byteRate.flatMap { $0 > 0 ? $0 * speed : nil } }

    /// Bytes that a second of listening takes of what is missing.
    var needAhead: Double? {
        guard let missing, let rest else { return need }
        return Double(max(0, missing - tag)) / max(0.1, rest - hand)
    }
}
