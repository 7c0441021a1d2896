// SPDX-License-Identifier: GPL-3.0-or-later

extension UnsafePointer<Float> {
    /// Returns the mean square of the difference of `count` samples and those that are `lag` samples later.
    func meanSquareDifference(lag: Int, count: Int) -> Float {
        squaredDifference(lag: lag, count: count) / Float(count)
    }

    /// Returns the sum of the squared differences of `count` samples and those that are `lag` samples later.
    func squaredDifference(lag: Int, count: Int) -> Float {
        let other = self + lag
        var index = 0
        var sums = SIMD8<Float>.zero
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
        return sum
    }

    /// Returns the sums of the squared differences of `count` samples and those that are `firstLag` to `firstLag + 15`
    /// samples later; `nil` if none is less than or equal to `limit`.
    func squaredDifferences(firstLag: Int, count: Int, upTo limit: Float) -> SIMD16<Float>? {
        var sums = SIMD16<Float>.zero
        for start in stride(from: 0, to: count, by: 16) {
            for index in start..<min(start &+ 16, count) {
                let others = UnsafeRawPointer(self + firstLag + index).loadUnaligned(as: SIMD16<Float>.self)
                let difference = others - self[index]
                sums += difference * difference
            }
            guard any(sums .<= limit) else { return nil }
        }
        return sums
    }

    @inline(__always)
    var vector: SIMD8<Float> { UnsafeRawPointer(self).loadUnaligned(as: SIMD8<Float>.self) }
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
