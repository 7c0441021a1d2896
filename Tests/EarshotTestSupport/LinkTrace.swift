// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The speed of a link over time: a repeating sequence of rates.
public struct LinkTrace: Sendable, CustomStringConvertible {
    public let description: String
    public let paces: [FaultScript.Pace]

    /// - Parameter steps: pairs of a duration in seconds and a rate in bytes per second; a rate of 0 is an outage.
    public init(_ name: String, _ steps: (seconds: Double, rate: Int)...) {
        description = name
        paces = steps.map { .init(.seconds($0.seconds), rate: $0.rate) }
    }

    /// Returns the number of bytes that have arrived by `time`.
    public func bytes(by time: Duration) -> Double {
        let round = paces.reduce(Duration.zero) { $0 + $1.time }
        let perRound = paces.reduce(0.0) { $0 + Double($1.rate) * ($1.time / .seconds(1)) }
        let rounds = (time / round).rounded(.down)
        var (rest, count) = (time - round * rounds, perRound * rounds)
        for pace in paces where rest > .zero {
            count += Double(pace.rate) * (min(rest, pace.time) / .seconds(1))
            rest -= pace.time
        }
        return count
    }

    /// Returns the throughput that a player would measure at `time` if the first byte arrived immediately.
    public func throughput(at time: Duration) -> Throughput? {
        guard bytes(by: time) > 0 else { return nil }
        func rate(over window: Duration) -> Double {
            let window = max(.milliseconds(100), min(window, time))
            return (bytes(by: time) - bytes(by: max(.zero, time - window))) / (window / .seconds(1))
        }
        return Throughput(
            age: max(time, .milliseconds(100)), mean: rate(over: time), recent: rate(over: Throughput.recentWindow),
            long: rate(over: Throughput.longWindow))
    }
}
