// SPDX-License-Identifier: GPL-3.0-or-later

/// When sound may start, and when it may go on after a stall: how much has to be in hand.
///
/// A pure value. Fixed numbers stand behind this seam for now: one second to start, a quarter of one on a link that is
/// twice as fast as the sound; two seconds after a stall, doubled by each further stall within a minute, twelve at
/// most.
public struct BufferingPolicy: Sendable, Equatable {
    /// Why playback waits.
    public enum Waiting: Sendable, Equatable { case start, rebuffer, seek }

    /// What is in hand, and how fast more comes.
    public struct Lead: Sendable, Equatable {
        /// Sound that can be played without another byte: decoded, and contiguous bytes behind it.
        public var inHand: Duration
        /// Everything that will ever come is in hand: nothing is gained by waiting.
        public var isWhole: Bool
        /// Bytes per second arriving; `nil` while it cannot be told.
        public var arrivalRate: Double?
        /// Bytes per second of sound; `nil` while it cannot be told.
        public var playbackRate: Double?

        public init(inHand: Duration, isWhole: Bool, arrivalRate: Double? = nil, playbackRate: Double? = nil) {
            self.inHand = inHand
            self.isWhole = isWhole
            self.arrivalRate = arrivalRate
            self.playbackRate = playbackRate
        }
    }

    public enum Decision: Sendable, Equatable {
        /// Wait on; this much of the lead needed is there.
        case hold(percent: Int)
        case release
    }

    private static let startLead = Duration.seconds(1)
    private static let fastStartLead = Duration.milliseconds(250)
    private static let resumeLead = Duration.seconds(2)
    private static let longestLead = Duration.seconds(12)
    private static let memory = Duration.seconds(60)

    /// When the stalls of the last minute began, on the caller's clock.
    private var stalls: [Duration] = []

    public init() {}

    /// Sound stopped for want of bytes.
    public mutating func stalled(at now: Duration) {
        stalls.removeAll { $0 < now - Self.memory }
        stalls.append(now)
    }

    public func decide(_ waiting: Waiting, _ lead: Lead) -> Decision {
        let needed = needed(waiting, lead)
        if lead.isWhole || lead.inHand >= needed { return .release }
        return .hold(percent: max(0, min(99, Int(100 * (lead.inHand / needed)))))
    }

    private func needed(_ waiting: Waiting, _ lead: Lead) -> Duration {
        guard waiting == .rebuffer else { return isFast(lead) ? Self.fastStartLead : Self.startLead }
        let doublings = min(max(stalls.count - 1, 0), 3)
        return min(Self.resumeLead * (1 << doublings), Self.longestLead)
    }

    private func isFast(_ lead: Lead) -> Bool {
        guard let arrival = lead.arrivalRate, let playback = lead.playbackRate else { return false }
        return arrival >= 2 * playback
    }
}
