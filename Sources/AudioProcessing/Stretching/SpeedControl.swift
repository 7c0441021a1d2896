// SPDX-License-Identifier: GPL-3.0-or-later

/// The feedback loop that keeps the length of the output right: how much to copy, and how strongly to splice.
///
/// The debt is the number of output frames still to be removed, or to be added at speeds below 1. It is computed from
/// two integer counts, so rounding errors cannot add up.
struct SpeedControl: Sendable {
    let speed: Double
    /// The shortest fade in frames: 2.5 ms.
    let shortestFade: Int
    /// The debt above which transients are no longer kept: 30 ms up to double speed, falling to 10 ms at triple speed.
    let budget: Double
    /// The debt that one copied frame adds.
    let debtPerCopy: Double
    /// The debt at which the speed is doubled: 8 ms. More time to repay it makes the speed audibly uneven.
    private let repayment: Double
    private let longestCopy: Int
    private(set) var consumed = 0
    private(set) var produced = 0

    init(speed: Double, sampleRate: Int) {
        self.speed = speed
        shortestFade = max(1, sampleRate / 400)
        budget = Double(sampleRate) * 0.01 * min(3, max(1, 3 - (speed - 2) * 2))
        debtPerCopy = abs(1 - 1 / speed)
        repayment = Double(sampleRate) * 0.008
        longestCopy = max(1, sampleRate / 50)
    }

    var debt: Double { speed < 1 ? -excess(after: 0) : excess(after: 0) }

    /// Returns how many output frames there are too many after `count` more frames are copied; negative if too few.
    func excess(after count: Int) -> Double { Double(produced + count) - Double(consumed + count) / speed }

    mutating func count(consumed: Int, produced: Int) {
        self.consumed += consumed
        self.produced += produced
    }

    mutating func restart() { (consumed, produced) = (0, 0) }

    /// Returns the number of frames to copy until `debt`, which is not positive, is 0: 1 frame to 20 ms.
    func copyLength(forDebt debt: Double) -> Int {
        let frames = (-debt / debtPerCopy).rounded(.up)
        return frames < Double(longestCopy) ? max(1, Int(frames)) : longestCopy
    }

    /// Returns `count`, but at most 20 ms.
    func copyLength(upTo count: Int) -> Int { min(count, longestCopy) }

    /// Returns the splice that drops or repeats `period`, and works off some of `debt`.
    ///
    /// Above double speed and below half speed the fade is shorter than the period. If it would be shorter than
    /// `shortestFade`, the splice drops or repeats several periods instead.
    func splice(period: Int, debt: Double) -> Splice {
        let urgency = 1 + min(1, debt / repayment)
        // The dropped or repeated frames per frame of the fade.
        let ratio = max(speed, 1 / speed) * urgency - 1
        let periods = (Double(shortestFade) * ratio / Double(period)).rounded()
        let lag = period * max(1, Int(periods))
        let fade = min(lag, max(shortestFade, Int(Double(lag) / max(1, ratio))))
        return speed < 1 ? Splice(start: lag, target: 0, fade: fade) : Splice(start: 0, target: lag, fade: fade)
    }
}
