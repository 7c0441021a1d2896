// SPDX-License-Identifier: GPL-3.0-or-later

/// The common properties of links of one kind, from which each link is drawn. Times in seconds.
struct LinkFamily: Sendable {
    enum Speed: Sendable {
        case kilobits(Draw)
        /// A multiple of the episode's bit rate.
        case timesBitRate(Draw)
    }

    /// Levels of speed, as multiples of the mean, that the link goes through.
    struct States: Sendable {
        var levels: [Double]
        /// The average time at each level.
        var stays: [Double]
        /// True if the level changes only to the next higher or lower one.
        var stepwise = false
    }

    struct Jitter: Sendable {
        var deviation: Double
        var lasting: Double
    }

    /// A change of the speed by `factor` from a time on.
    struct Step: Sendable {
        var at: Draw
        var factor: Draw
    }

    struct Outages: Sendable {
        var perMinute: Draw
        var lasting: Draw
    }

    /// A server that sends the first bytes immediately, and the rest at little more than the bit rate.
    struct Burst: Sendable {
        var bytes: Draw
        var thenTimesBitRate: Draw
    }

    /// A server that closes connections.
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
