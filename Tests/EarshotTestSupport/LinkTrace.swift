// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How fast a link is at each time: rates that follow each other, over and over.
public struct LinkTrace: Sendable, CustomStringConvertible {
    public let description: String
    public let paces: [FaultScript.Pace]

    /// - Parameter steps: each so many seconds of so many bytes a second; 0 is an outage.
    public init(_ name: String, _ steps: (seconds: Double, rate: Int)...) {
        description = name
        paces = steps.map { .init(.seconds($0.seconds), rate: $0.rate) }
    }

    /// Bytes that have come when so much time has passed.
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

    /// What a listener knows of it at `time`, where the first byte came at once.
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
