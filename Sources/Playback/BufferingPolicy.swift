// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// When sound starts, and when it goes on after a stall. A pure decision, made whenever bytes have come.
///
/// The finish line: sound starts as soon as the rest will, at a cautious rate, have arrived before it is due. Patience:
/// where that is not in sight, sound goes on once the listener has waited, twice as long each time, and something is in
/// hand. Nothing is ever held back while it could be heard: a pause before the last byte in hand gains nothing.
public enum BufferingPolicy {
    /// Why playback waits.
    public enum Waiting: Sendable, Equatable { case start, rebuffer, seek }

    /// A time without sound.
    public struct Silence: Sendable, Equatable {
        public var waiting: Waiting
        /// How long it has lasted; time in which the listener had paused does not count.
        public var waited: Duration
        /// How often this item had stalled before, in this listening.
        public var stalls: Int
        /// The listener would rather hear what is there than wait.
        public var isHurried = false

        public init(_ waiting: Waiting, waited: Duration = .zero, stalls: Int = 0) {
            (self.waiting, self.waited, self.stalls) = (waiting, waited, stalls)
        }
    }

    /// Why sound may start.
    public enum Reason: String, Sendable, Equatable {
        /// All is there, or nothing more comes.
        case complete
        /// The rest should arrive in time.
        case finishLine
        /// The same, on a link so fast that next to nothing has to be in hand.
        case fastLink
        /// It will not, or nobody knows; but something is in hand, and a longer wait would be worth less than it costs.
        case patience
        /// The listener would not wait any longer.
        case wish
        /// Nothing tells where the file ends; something is in hand.
        case unknownLength
    }

    public enum Decision: Sendable, Equatable {
        case hold
        case play(Reason)
    }

    public static func decide(_ silence: Silence, _ supply: Supply) -> Decision {
        if supply.isWhole || supply.isStill { return .play(.complete) }
        if silence.isHurried, supply.hand >= Goals.floor { return .play(.wish) }
        let goals = Goals(silence, supply)
        // Of an episode heard in parts: some of it may be there before the server answers.
        guard let throughput = supply.throughput else { return supply.hand >= goals.enough ? .play(.patience) : .hold }
        if let missing = supply.missing, let rest = supply.rest {
            let rate = throughput.cautious
            let comesInTime = rate > 0 && Double(missing) / rate + Goals.slack <= rest
            if comesInTime, supply.hand >= goals.floor {
                return .play(supply.hand >= Goals.floor ? .finishLine : .fastLink)
            }
        } else {
            if goals.isFast, supply.hand >= goals.floor { return .play(.fastLink) }
            if supply.hand >= goals.enoughOfUnknown { return .play(.unknownLength) }
        }
        return goals.isPatienceDue(silence, supply) ? .play(.patience) : .hold
    }
}

extension Throughput {
    /// What is counted on: a link that has just become slow may stay so, one that has just become fast may not.
    var cautious: Double { min(mean, recent) }
}
