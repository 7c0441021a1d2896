// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The buffer level at one instant: the playable sound, the missing bytes and their rate. All buffering decisions
/// depend on it.
public struct BufferLevel: Sendable, Equatable {
    /// Sound that can be played without another byte, as media time.
    public var buffered: Duration
    /// Media time from the playhead to the end; `nil` while unknown.
    public var remaining: Duration?
    /// Bytes from the playhead to the end that have not arrived, and `preceding`; `nil` while the length is unknown.
    public var missing: Int64?
    /// Bytes per second of media, of the whole file if that is known; `nil` while unknown.
    public var byteRate: Double?
    /// Bytes that have not arrived and arrive before the next sound: those of a tag, or those up to a seek's target.
    public var preceding: Int64
    /// `nil` before the first byte of this session.
    public var throughput: Throughput?
    /// True if no more bytes arrive, or none for a long time: waiting gains nothing.
    public var isStalled: Bool
    /// Seconds of media played per second.
    public var speed: Double

    public init(
        buffered: Duration, remaining: Duration? = nil, missing: Int64? = nil, byteRate: Double? = nil,
        preceding: Int64 = 0, throughput: Throughput? = nil, isStalled: Bool = false, speed: Double = 1
    ) {
        self.buffered = buffered
        self.remaining = remaining
        self.missing = missing
        self.byteRate = byteRate
        self.preceding = preceding
        self.throughput = throughput
        self.isStalled = isStalled
        self.speed = speed
    }

    /// True if all bytes have arrived.
    public var isWhole: Bool { missing == 0 }
}

/// The same values in seconds of listening and bytes per second of it.
extension BufferLevel {
    var bufferedSeconds: Double { buffered / .seconds(1) / speed }

    /// Seconds of listening until the end; `nil` unless the length in bytes is known too.
    var remainingSeconds: Double? { missing == nil ? nil : remaining.map { $0 / .seconds(1) / speed } }

    /// Bytes per second of listening, on average over the file.
    var requiredRate: Double? { byteRate.flatMap { $0 > 0 ? $0 * speed : nil } }

    /// Missing bytes per second of listening.
    var requiredRateAhead: Double? {
        guard let missing, let remainingSeconds else { return requiredRate }
        return Double(max(0, missing - preceding)) / max(0.1, remainingSeconds - bufferedSeconds)
    }
}
