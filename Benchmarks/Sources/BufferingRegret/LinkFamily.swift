// SPDX-License-Identifier: GPL-3.0-or-later

/// What links of one kind have in common; each is drawn from it. Times in seconds.
struct LinkFamily: Sendable {
    enum Speed: Sendable {
        case kilobits(Draw)
        /// As a multiple of the episode's bit rate.
        case timesBitRate(Draw)
    }

    /// Levels of speed, as multiples of the mean, that the link goes through.
    struct States: Sendable {
        var levels: [Double]
        /// How long it stays at each, on average.
        var stays: [Double]
        /// Whether it goes to the next higher or lower one only.
        var stepwise = false
    }

    struct Jitter: Sendable {
        var deviation: Double
        var lasting: Double
    }

    /// From then on it is so many times as fast.
    struct Step: Sendable {
        var at: Draw
        var factor: Draw
    }

    struct Outages: Sendable {
        var perMinute: Draw
        var lasting: Draw
    }

    /// A server that sends so much at once and the rest at little more than the bit rate.
    struct Burst: Sendable {
        var bytes: Draw
        var thenTimesBitRate: Draw
    }

    /// A server that hangs up.
    struct Drops: Sendable {
        var perMinute: Draw
        var reconnecting: Draw
    }

    var name: String
    var speed: Speed
    var states: States?
    var jitter: Jitter
    var step: Step?
    var outages: Outages?
    var burst: Burst?
    var drops: Drops?
    var roundTrip: Draw
    var redirects = 0...3
}
