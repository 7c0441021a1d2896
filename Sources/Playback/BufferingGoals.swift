// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BufferingPolicy {
    /// What has to be in hand, and how long is waited for more, in one silence. Seconds of listening.
    ///
    /// The numbers were found on simulated links (`Scripts/bench stalls`); around each of them the outcome is flat.
    struct Goals: Equatable {
        /// What a decoder and a device need to begin.
        static let least = 0.2
        /// In hand where the rest should come in time: rates are not steady.
        static let floor = 2.0
        /// The rest is to be there so long before it is due.
        static let slack = 1.0
        /// On a link of so many times the bit rate the floor is the least there is; it begins to sink a little below.
        static let fast = 3.5
        private static let fade = 4.0

        let floor: Double
        let enough: Double
        let enoughOfUnknown: Double
        let wait: Double
        /// Whether the link is so fast that the length does not matter.
        let isFast: Bool
        /// How much more in hand makes up for a second less of waiting; `nil`: nothing does.
        let trade: Double?

        /// - Parameter rate: bytes per second to be counted on; `nil`: as many as came.
        init(_ silence: Silence, _ supply: Supply, at rate: Double? = nil) {
            let doublings = Double(1 << min(max(silence.stalls, 0), 6))
            let rate = rate ?? supply.throughput?.cautious ?? 0
            let speed = supply.need.map { rate / $0 } ?? 0
            guard silence.waiting != .rebuffer else {
                (floor, enough, wait) = (Self.floor, 30, min(240, 20 * doublings))
                (enoughOfUnknown, isFast, trade) = (min(120, 20 * doublings), false, nil)
                return
            }
            floor = min(Self.floor, max(Self.least, Self.fade * (Self.fast - speed)))
            (enough, enoughOfUnknown, isFast) = (15, 6, speed >= Self.fast)
            // Who goes elsewhere has waited before.
            (wait, trade) = silence.waiting == .seek ? (0, nil) : (30, 3)
        }

        /// Whether enough is in hand and the listener has waited long enough for more.
        func isPatienceDue(_ silence: Silence, _ supply: Supply) -> Bool {
            let waited = silence.waited / .seconds(1)
            guard supply.hand >= enough, waited < wait else { return supply.hand >= enough }
            return trade.map { supply.hand - enough >= $0 * (wait - waited) } ?? false
        }

        /// Seconds until that is so, where each brings `pace` seconds of sound.
        /// - Parameter fill: seconds until enough is in hand.
        func patience(_ silence: Silence, _ supply: Supply, pace: Double, fill: Double) -> Double {
            let left = wait - silence.waited / .seconds(1)
            let traded = trade.map { ($0 * left + enough - supply.hand) / ($0 + pace) } ?? left
            return max(fill, min(left, traded))
        }
    }
}
