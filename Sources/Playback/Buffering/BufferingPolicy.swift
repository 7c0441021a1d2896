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
    public struct WaitState: Sendable, Equatable {
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
        case listenerRequest
        /// The length of the file is unknown; something is buffered.
        case unknownLength
    }

    public enum Decision: Sendable, Equatable {
        case hold
        case play(Reason)
    }

    /// Decides whether sound may start now.
    public static func decide(_ waitState: WaitState, _ level: BufferLevel) -> Decision {
        if level.isWhole || level.isStalled { return .play(.complete) }
        if waitState.isHurried, level.bufferedSeconds >= Goals.floor { return .play(.listenerRequest) }
        let goals = Goals(waitState, level)
        // A partly downloaded episode may have a buffer before the server responds.
        guard let throughput = level.throughput else {
            return level.bufferedSeconds >= goals.enough ? .play(.patience) : .hold
        }
        if let missing = level.missing, let rest = level.remainingSeconds {
            let rate = throughput.cautious
            let comesInTime = rate > 0 && Double(missing) / rate + Goals.slack <= rest
            if comesInTime, level.bufferedSeconds >= goals.floor {
                return .play(level.bufferedSeconds >= Goals.surplusFloor ? .finishLine : .fastLink)
            }
        } else {
            if goals.isFast, level.bufferedSeconds >= goals.floor { return .play(.fastLink) }
            if level.bufferedSeconds >= goals.enoughOfUnknown { return .play(.unknownLength) }
        }
        return goals.isTimeoutDue(waitState, level) ? .play(.patience) : .hold
    }
}

extension Throughput {
    /// The expected rate: a link that has just become slow may stay slow, one that has just become fast may not stay
    /// fast.
    var cautious: Double { min(mean, recent) }
}
