// SPDX-License-Identifier: GPL-3.0-or-later

/// How fast an enclosure has come since its first byte of this run, time in which the transfer was broken included.
public struct Throughput: Sendable, Equatable {
    /// Since the answer began.
    public var age: Duration
    /// Bytes per second over all of that time.
    public var mean: Double
    /// Bytes per second over its last `recentWindow`, or all of it while it is younger.
    public var recent: Double
    /// The same over the last `longWindow`.
    public var long: Double

    public static let recentWindow = Duration.seconds(5)
    public static let longWindow = Duration.seconds(60)

    public init(age: Duration, mean: Double, recent: Double, long: Double) {
        self.age = age
        self.mean = mean
        self.recent = recent
        self.long = long
    }

    /// As fast all the time.
    public init(age: Duration = longWindow, steady rate: Double) {
        self.init(age: age, mean: rate, recent: rate, long: rate)
    }
}
