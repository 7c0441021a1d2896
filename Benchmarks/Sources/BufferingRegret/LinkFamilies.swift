// SPDX-License-Identifier: GPL-3.0-or-later

extension LinkFamily {
    /// The links with which the numbers of the policy were determined.
    static let all: [LinkFamily] = mobile + fixed + changing + [burstThenPace, droppingServer]

    private static let mobile: [LinkFamily] = [
        LinkFamily(
            name: "steady 4G", speed: .kilobits(.factor(4000, 30000)), jitter: Jitter(deviation: 0.4, lasting: 2),
            outages: Outages(perMinute: .exactly(0.05), lasting: .around(2, spread: 0.7, atMost: 15)),
            roundTrip: .between(0.04, 0.12)),
        LinkFamily(
            name: "train, tunnels", speed: .kilobits(.factor(600, 8000)),
            states: States(levels: [0.15, 0.6, 1.5], stays: [10, 20, 25]), jitter: Jitter(deviation: 0.4, lasting: 2),
            outages: Outages(perMinute: .between(0.3, 0.9), lasting: .around(14, spread: 0.8, atMost: 120)),
            roundTrip: .between(0.04, 0.12)),
        LinkFamily(
            name: "bus, 3G", speed: .kilobits(.factor(150, 1200)),
            states: States(levels: [0.1, 0.5, 1, 2], stays: [8, 15, 20, 12]),
            jitter: Jitter(deviation: 0.5, lasting: 1.5),
            outages: Outages(perMinute: .between(0.1, 0.6), lasting: .around(8, spread: 0.8, atMost: 60)),
            roundTrip: .between(0.08, 0.25)),
        LinkFamily(
            name: "LTE, ten levels", speed: .timesBitRate(.factor(0.8, 6)),
            states: States(
                levels: [0.09, 0.29, 0.49, 0.69, 0.9, 1.1, 1.3, 1.5, 1.71, 1.9],
                stays: Array(repeating: 10, count: 10), stepwise: true),
            jitter: Jitter(deviation: 0.2, lasting: 3), roundTrip: .between(0.04, 0.12)),
    ]

    private static let fixed: [LinkFamily] = [
        LinkFamily(
            name: "hotel wifi", speed: .timesBitRate(.factor(0.9, 4)),
            states: States(levels: [0.35, 1, 1.8], stays: [25, 60, 40]), jitter: Jitter(deviation: 0.4, lasting: 3),
            outages: Outages(perMinute: .exactly(0.3), lasting: .between(0.5, 4)), roundTrip: .between(0.02, 0.15)),
        LinkFamily(
            name: "bursty wifi", speed: .timesBitRate(.factor(0.9, 5)),
            states: States(levels: [0.02, 2], stays: [2.5, 2.5]), jitter: Jitter(deviation: 0.3, lasting: 0.5),
            roundTrip: .between(0.01, 0.08)),
        LinkFamily(
            name: "DSL, just too slow", speed: .timesBitRate(.between(0.75, 0.99)),
            jitter: Jitter(deviation: 0.08, lasting: 2), roundTrip: .between(0.02, 0.06), redirects: 0...2),
        LinkFamily(
            name: "DSL, just enough", speed: .timesBitRate(.between(1.02, 1.5)),
            jitter: Jitter(deviation: 0.12, lasting: 3), roundTrip: .between(0.02, 0.06), redirects: 0...2),
        LinkFamily(
            name: "satellite, 600 ms", speed: .timesBitRate(.factor(0.95, 6)),
            states: States(levels: [0.5, 1, 1.3], stays: [20, 60, 60]), jitter: Jitter(deviation: 0.35, lasting: 4),
            outages: Outages(perMinute: .exactly(0.1), lasting: .around(10, spread: 0.8, atMost: 60)),
            roundTrip: .between(0.58, 0.68), redirects: 0...2),
    ]

    private static let changing: [LinkFamily] = [
        LinkFamily(
            name: "collapse", speed: .timesBitRate(.factor(1.3, 6)), jitter: Jitter(deviation: 0.25, lasting: 2),
            step: Step(at: .between(15, 240), factor: .between(0.12, 0.7)), roundTrip: .between(0.04, 0.12)),
        LinkFamily(
            name: "recovery", speed: .timesBitRate(.factor(0.35, 0.9)), jitter: Jitter(deviation: 0.25, lasting: 2),
            step: Step(at: .between(20, 180), factor: .between(2, 8)), roundTrip: .between(0.04, 0.12)),
    ]

    private static let burstThenPace = LinkFamily(
        name: "burst, then paced", speed: .timesBitRate(.factor(6, 30)), jitter: Jitter(deviation: 0.2, lasting: 2),
        burst: Burst(bytes: .factor(300_000, 3_000_000), thenTimesBitRate: .between(0.95, 1.4)),
        roundTrip: .between(0.02, 0.1))

    private static let droppingServer = LinkFamily(
        name: "dropping server", speed: .timesBitRate(.factor(1.1, 8)), jitter: Jitter(deviation: 0.3, lasting: 2),
        drops: Drops(perMinute: .between(0.3, 2), reconnecting: .between(1, 12)), roundTrip: .between(0.03, 0.15))

    /// Further links with which the same numbers were determined.
    static let skipped = [
        "Norway 3G", "Norway 3G x 0.35", "Ghent 4G", "Ghent 4G, shared", "FCC, shared", "Oboe, shared",
    ]
}
