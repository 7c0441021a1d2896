// SPDX-License-Identifier: GPL-3.0-or-later

/// The download speed of an enclosure since the first byte of this run, including interruptions of the transfer.
public struct Throughput: Sendable, Equatable {
    /// The time since the response began.
    public var age: Duration
    /// Bytes per second over the whole time.
    public var mean: Double
    /// Bytes per second over the last `recentWindow`, or over the whole time if that is shorter.
    public var recent: Double
    /// Bytes per second over the last `longWindow`, or over the whole time if that is shorter.
    public var long: Double

    public static let recentWindow = Duration.seconds(5)
    public static let longWindow = Duration.seconds(60)

    public init(age: Duration, mean: Double, recent: Double, long: Double) {
        self.age = age
        self.mean = mean
        self.recent = recent
        self.long = long
    }

    /// Creates a constant throughput.
    public init(age: Duration = longWindow, steady rate: Double) {
        self.init(age: age, mean: rate, recent: rate, long: rate)
    }
}

/// The distance in bytes beyond which a separate request for a byte is faster than waiting for the bytes before it.
public enum SkipDistance {
    /// The distance before the first throughput measurement.
    public static let unmeasured: Int64 = 512 << 10
    /// The distance that is always waited for: a request costs bytes, too.
    static let floor: Int64 = 16 << 10
    /// The distance that is waited for unless that takes too long: a new request costs one or two round trips, and the
    /// data in flight is lost.
    static let least: Int64 = 128 << 10
    /// The longest wait that is preferred to a new request, and the shortest.
    static let time = (most: Duration.seconds(2), least: Duration.milliseconds(250))
    /// The number of answers that a new request may cost: it opens a connection, which begins slowly, and the rest of
    /// the skipped bytes needs another request.
    static let answers = 4

    /// - Parameters:
    ///   - bytesPerSecond: measured throughput; `nil` while unknown.
    ///   - answer: the time from the last request to the head of its response; `nil` while unknown.
    /// - Returns: the distance in bytes; a reader waits for bytes within it.
    public static func limit(bytesPerSecond: Double?, answer: Duration? = nil) -> Int64 {
        guard let bytesPerSecond, bytesPerSecond.isFinite else { return unmeasured }
        let wait = answer.map { min(time.most, max(time.least, $0 * answers)) } ?? time.most
        let worthwhile = max(Double(least), bytesPerSecond * (wait / .seconds(1)))
        return max(floor, Int64(min(worthwhile, bytesPerSecond * (time.most / .seconds(1)), 1e15)))
    }
}
