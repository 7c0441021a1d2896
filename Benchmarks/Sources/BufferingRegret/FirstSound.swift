// SPDX-License-Identifier: GPL-3.0-or-later

/// The startup latency on links of four times the bit rate or more, in their first five seconds and in total.
struct FirstSound {
    private static let fast = 4.0

    let rule: any Rule
    /// The seconds from the earliest possible start to the actual one.
    private(set) var lateness: [Double] = []
    private(set) var stalls = 0

    init(_ rule: any Rule) { self.rule = rule }

    mutating func add(_ heard: Playthrough, of delivery: Delivery) {
        let opening = min(delivery.complete, delivery.answered + 5 * Tick.second)
        guard Self.isFast(delivery, at: opening), Self.isFast(delivery, at: delivery.complete) else { return }
        let earliest = delivery.tick(of: min(delivery.episode.duration, Playthrough.least))
        lateness.append(heard.startUp - Double(earliest) * Tick.seconds)
        stalls += heard.stalls
    }

    private static func isFast(_ delivery: Delivery, at tick: Int) -> Bool {
        let seconds = Double(tick - delivery.answered) * Tick.seconds
        return delivery.arrived[tick] >= fast * seconds * delivery.episode.size / delivery.episode.duration
    }

    var atOnce: Double { Double(lateness.count { $0 < 1.1 * Tick.seconds }) / Double(max(1, lateness.count)) }
}
