// SPDX-License-Identifier: GPL-3.0-or-later

extension UnsafePointer<Float> {
    /// Returns the mean square of the difference of `count` samples and those that are `lag` samples later. Compares
    /// only every `stride`-th sample.
    func meanSquareDifference(lag: Int, count: Int, stride: Int = 1) -> Float {
        let other = self + lag
        var index = 0
        var sums = SIMD8<Float>.zero
        while stride == 1, index &+ 8 <= count {
            let difference = (self + index).vector - (other + index).vector
            sums += difference * difference
            index &+= 8
        }
        var sum = sums.sum()
        while index < count {
            let difference = self[index] - other[index]
            sum += difference * difference
            index &+= stride
        }
        return sum * Float(stride) / Float(count)
    }

    @inline(__always)
    private var vector: SIMD8<Float> { UnsafeRawPointer(self).loadUnaligned(as: SIMD8<Float>.self) }
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
