// SPDX-License-Identifier: GPL-3.0-or-later

/// How far ahead a byte must be for a request of its own to be quicker than waiting for those in between.
public enum SkipDistance {
    /// Before the link was measured.
    public static let unmeasured: Int64 = 512 << 10
    /// A new request costs a round trip or two, and what was under way is lost.
    static let least: Int64 = 128 << 10
    static let time = Duration.seconds(2)

    /// - Parameter bytesPerSecond: measured throughput; `nil` while unknown.
    /// - Returns: bytes; what is no further away is waited for.
    public static func limit(bytesPerSecond: Double?) -> Int64 {
        guard let bytesPerSecond, bytesPerSecond.isFinite else { return unmeasured }
        return max(least, Int64(min(bytesPerSecond * (time / .seconds(1)), 1e15)))
    }
}
