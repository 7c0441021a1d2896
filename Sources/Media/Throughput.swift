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
