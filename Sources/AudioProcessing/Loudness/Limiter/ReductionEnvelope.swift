// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// The gains of a limiter, from the peaks of the frames.
///
/// The gain falls in a straight line, reaches the necessary value with the peak, and rises exponentially. Reductions
/// are integers, so that sums are exact and the gain returns to exactly 1.
struct ReductionEnvelope: Sendable {
    /// The reduction of a gain of 0.
    static let one: Int64 = 1 << 20

    /// The number of frames from a frame's peak to its gain.
    let delay: Int
    private let ceiling: Double
    private let reducedPeak: Double
    /// The part of the reduction that is left after one frame.
    private let release: Int64
    private var hold: SlidingMaximum
    private var released: Int64 = 0
    /// The last `delay + 1` reductions before smoothing, a ring, and their sum.
    private var reductions: [Int64]
    private var index = 0
    private var sum: Int64 = 0

    /// - Parameters:
    ///   - ceiling: the greatest magnitude that passes.
    ///   - reducedPeak: the magnitude to which greater ones are reduced.
    ///   - lookAhead: the frames in which the gain falls.
    ///   - release: the frames in which the reduction falls to 1/e.
    init(ceiling: Float, reducedPeak: Double, lookAhead: Int, release: Double) {
        let length = max(1, lookAhead)
        delay = length - 1
        self.ceiling = Double(ceiling)
        self.reducedPeak = reducedPeak
        self.release = Int64(Double(Self.one) * exp(-1 / max(1, release)))
        // The peak of a frame includes points up to the next frame, which needs the reduction, too.
        hold = SlidingMaximum(length: length + 1)
        reductions = Array(repeating: 0, count: length)
    }

    /// True if the gain stays 1 until a peak exceeds the ceiling.
    var isIdle: Bool { sum == 0 && released == 0 && hold.isZero }

    /// Returns the gain of the frame `delay` frames ago, given the peak of this frame.
    mutating func gain(peak: Float) -> Float {
        let necessary = necessaryReduction(peak: Double(peak))
        released = max(hold.maximum(adding: necessary), released &* release / Self.one)
        sum &+= released &- reductions[index]
        reductions[index] = released
        index = index &+ 1 < reductions.count ? index &+ 1 : 0
        return Float(1 - Double(sum) / Double(Self.one &* Int64(reductions.count)))
    }

    private func necessaryReduction(peak: Double) -> Int64 {
        guard peak > ceiling else { return 0 }
        return Int64(((1 - reducedPeak / peak) * Double(Self.one)).rounded(.up))
    }

    mutating func reset() {
        hold.reset()
        for index in reductions.indices { reductions[index] = 0 }
        (released, sum) = (0, 0)
    }
}
