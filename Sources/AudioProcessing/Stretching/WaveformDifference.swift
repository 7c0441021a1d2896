// SPDX-License-Identifier: GPL-3.0-or-later

extension UnsafePointer<Float> {
    /// Returns the mean square of the difference of `count` samples and those that are `lag` samples later.
    /// - Parameter limit: if the result is greater, it may be returned as infinity, which takes less time.
    func meanSquareDifference(lag: Int, count: Int, upTo limit: Float = .infinity) -> Float {
        let other = self + lag
        // The sum only grows. The margin is more than the rounding of the limit.
        let most = limit * Float(count) * 1.001
        var index = 0
        var sums = SIMD8<Float>.zero
        while index &+ 32 <= count {
            for offset in stride(from: index, to: index &+ 32, by: 8) {
                let difference = (self + offset).vector - (other + offset).vector
                sums += difference * difference
            }
            index &+= 32
            if sums.sumOfHalves > most { return .infinity }
        }
        while index &+ 8 <= count {
            let difference = (self + index).vector - (other + index).vector
            sums += difference * difference
            index &+= 8
        }
        var sum = sums.sum()
        while index < count {
            let difference = self[index] - other[index]
            sum += difference * difference
            index &+= 1
        }
        return sum / Float(count)
    }

    @inline(__always)
    var vector: SIMD8<Float> { UnsafeRawPointer(self).loadUnaligned(as: SIMD8<Float>.self) }
}

extension SIMD8<Float> {
    /// The sum of the elements in another order than that of `sum()`, which adds one element after the other.
    @inline(__always)
    fileprivate var sumOfHalves: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}

extension Sequence<Int> {
    /// Returns the first of the numbers with the least difference; nil if there are no numbers.
    @inline(__always)
    func least(by difference: (Int) -> Float) -> Int? {
        var best: (number: Int, difference: Float)?
        for number in self {
            let difference = difference(number)
            if difference < best?.difference ?? .infinity || best == nil { best = (number, difference) }
        }
        return best?.number
    }
}

extension Comparable {
    func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}
