// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BufferingPolicy {
    /// The buffer level required to start sound, and the time to wait for more, in one wait. In seconds of listening.
    ///
    /// The numbers were determined on simulated links (`Scripts/bench stalls`); small changes of each have little
    /// effect.
    struct Goals: Equatable {
        /// The level that a decoder and a device need to start.
        static let least = 0.2
        /// The level required if the rest should arrive in time: rates are not steady.
        static let floor = 2.0
        /// The level required at a link rate of 5/4 of the bit rate. Below this ratio it increases to `floor`.
        static let surplusFloor = 1.0
        private static let surplusFade = 4.0
        /// The rest must arrive this long before it is needed.
        static let slack = 1.0
        /// The ratio of link rate to bit rate from which `floor` is the minimum. It starts to decrease slightly below
        /// this ratio.
        static let fast = 3.5
        private static let fade = 4.0

        let floor: Double
        let enough: Double
        let enoughOfUnknown: Double
        let wait: Double
        /// True if the link is so fast that the length does not matter.
        let isFast: Bool
        /// The additional buffered seconds that replace one second of waiting; `nil` if nothing replaces it.
        let trade: Double?

        /// - Parameter rate: the expected bytes per second; `nil` for the cautious measured rate.
        init(_ waitState: WaitState, _ level: BufferLevel, at rate: Double? = nil) {
            let doublings = Double(1 << min(max(waitState.stalls, 0), 6))
            let rate = rate ?? level.throughput?.cautious ?? 0
            let speed = level.requiredRate.map { rate / $0 } ?? 0
            guard waitState.waiting != .rebuffer else {
                (floor, enough, wait) = (Self.floor, 30, min(240, 20 * doublings))
                (enoughOfUnknown, isFast, trade) = (min(120, 20 * doublings), false, nil)
                return
            }
            let steady = max(Self.surplusFloor, Self.floor - Self.surplusFade * (speed - 1))
            floor = min(Self.floor, steady, max(Self.least, Self.fade * (Self.fast - speed)))
            (enough, enoughOfUnknown, isFast) = (15, 6, speed >= Self.fast)
            // A listener who seeks has already waited for the item.
            (wait, trade) = waitState.waiting == .seek ? (0, nil) : (30, 3)
        }

        /// Returns true if the buffer level is sufficient and the listener has waited long enough for more.
        func isTimeoutDue(_ waitState: WaitState, _ level: BufferLevel) -> Bool {
            let waited = waitState.waited / .seconds(1)
            guard level.bufferedSeconds >= enough, waited < wait else { return level.bufferedSeconds >= enough }
            return trade.map { level.bufferedSeconds - enough >= $0 * (wait - waited) } ?? false
        }

        /// Returns the seconds until `isTimeoutDue` is true, if each second brings `pace` seconds of sound.
        /// - Parameter fill: seconds until the buffer level is sufficient.
        func secondsUntilTimeout(_ waitState: WaitState, _ level: BufferLevel, pace: Double, fill: Double) -> Double {
            let left = wait - waitState.waited / .seconds(1)
            let traded = trade.map { ($0 * left + enough - level.bufferedSeconds) / ($0 + pace) } ?? left
            return max(fill, min(left, traded))
        }
    }
}
