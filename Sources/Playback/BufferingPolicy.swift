// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The policy that decides when sound starts and when it resumes after a stall. A pure function, called when bytes
/// have arrived.
///
/// Finish line: sound starts as soon as the rest of the item will arrive, at a cautious rate, before it is needed.
/// Timeout: if that is not foreseeable, sound resumes after a wait, twice as long after each stall, if something is
/// buffered. Playback never stops before the buffer is empty, because an earlier pause gains nothing.
public enum BufferingPolicy {
    /// The reason for a wait.
    public enum Waiting: Sendable, Equatable { case start, rebuffer, seek }

    /// A time in which playback waits for bytes.
    public struct Silence: Sendable, Equatable {
        public var waiting: Waiting
        /// The duration of the wait so far, without the time in which the listener had paused.
        public var waited: Duration
        /// The number of earlier stalls of this item in this session.
        public var stalls: Int
        /// True if the listener prefers to play the buffered sound immediately.
        public var isHurried = false

        public init(_ waiting: Waiting, waited: Duration = .zero, stalls: Int = 0) {
            (self.waiting, self.waited, self.stalls) = (waiting, waited, stalls)
        }
    }

    /// The reason why sound may start.
    public enum Reason: String, Sendable, Equatable {
        /// All bytes are available, or no more will arrive.
        case complete
        /// The rest should arrive in time.
        case finishLine
        /// The link is so fast that almost nothing needs to be buffered.
        case fastLink
        /// The rest will not arrive in time, or that is unknown; but something is buffered, and a longer wait would
        /// cost more than it gains.
        case patience
        /// The listener asked to play immediately.
        case wish
        /// The length of the file is unknown; something is buffered.
        case unknownLength
    }

    public enum Decision: Sendable, Equatable {
        case hold
        case play(Reason)
    }

    /// Decides whether sound may start now.
    public static func decide(_ silence: Silence, _ supply: Supply) -> Decision {
        if supply.isWhole || supply.isStill { return .play(.complete) }
        if silence.isHurried, supply.hand >= Goals.floor { return .play(.wish) }
        let goals = Goals(silence, supply)
        // A partly downloaded episode may have a buffer before the server responds.
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
    /// The expected rate: a link that has just become slow may stay slow, one that has just become fast may not stay
    /// fast.
    var cautious: Double { min(mean, recent) }
}
