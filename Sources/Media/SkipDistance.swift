// SPDX-License-Identifier: GPL-3.0-or-later

/// The distance in bytes beyond which a separate request for a byte is faster than waiting for the bytes before it.
public enum SkipDistance {
    /// The distance before the first throughput measurement.
    public static let unmeasured: Int64 = 512 << 10
    /// The minimum distance: a new request costs one or two round trips, and the data in flight is lost.
    static let least: Int64 = 128 << 10
    static let time = Duration.seconds(2)

    /// - Parameter bytesPerSecond: measured throughput; `nil` while unknown.
    /// - Returns: the distance in bytes; a reader waits for bytes within it.
    public static func limit(bytesPerSecond: Double?) -> Int64 {
        guard let bytesPerSecond, bytesPerSecond.isFinite else { return unmeasured }
        return max(least, Int64(min(bytesPerSecond * (time / .seconds(1)), 1e15)))
    }
}
