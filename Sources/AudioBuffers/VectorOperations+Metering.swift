// SPDX-License-Identifier: GPL-3.0-or-later

extension VectorOperations {
    /// Returns the greatest magnitude; 0 for no samples. NaN is ignored. vDSP: `maxmgv`.
    /// - Parameter stride: the distance from one sample to the next; the number of channels, to meter one channel of
    ///   several.
    @_noLocks @_noAllocation
    public static func peak(_ samples: UnsafePointer<Float>, count: Int, stride: Int = 1) -> Float {
        let blocks = stride == 1 ? max(0, count) & ~7 : 0
        var peak = peak(blocks: samples, count: blocks)
        var index = blocks
        while index < count {
            let magnitude = samples[index &* stride].magnitude
            peak = magnitude > peak ? magnitude : peak
            index &+= 1
        }
        return peak
    }

    /// Returns the sum of the squares, added up in Float64. vDSP: `svesq`.
    @_noLocks @_noAllocation
    public static func sumOfSquares(_ samples: UnsafePointer<Float>, count: Int, stride: Int = 1) -> Double {
        let blocks = stride == 1 ? max(0, count) & ~7 : 0
        var sum = sumOfSquares(blocks: samples, count: blocks)
        var index = blocks
        while index < count {
            let sample = Double(samples[index &* stride])
            sum += sample * sample
            index &+= 1
        }
        return sum
    }

    /// Returns the root mean square; 0 for no samples. vDSP: `rmsqv`.
    @_noLocks @_noAllocation
    public static func rootMeanSquare(_ samples: UnsafePointer<Float>, count: Int, stride: Int = 1) -> Float {
        guard count > 0 else { return 0 }
        return Float(squareRoot(sumOfSquares(samples, count: count, stride: stride) / Double(count)))
    }

    /// Returns the number of samples that are outside ±`limit` or NaN: those that `clip` changes.
    @_noLocks @_noAllocation
    public static func clipCount(
        _ samples: UnsafePointer<Float>, count: Int, stride: Int = 1, limit: Float = 1
    ) -> Int {
        stride == 1
            ? clipCount(samples, count, step: 1, limit) : clipCount(samples, count, step: stride, limit)
    }

    /// Clamps samples to ±`limit`; NaN becomes 0. vDSP: `vclip`.
    @_noLocks @_noAllocation
    public static func clip(_ samples: UnsafeMutablePointer<Float>, count: Int, limit: Float = 1) {
        var index = 0
        while index < count {
            let sample = samples[index]
            let number = sample == sample ? sample : 0
            let below = number > limit ? limit : number
            samples[index] = below < -limit ? -limit : below
            index &+= 1
        }
    }

    /// Sets samples that are NaN or infinite to 0; finite samples stay unchanged, however large.
    @_noLocks @_noAllocation
    public static func clearNonFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        clearNonFinite(samples, count)
    }

    /// Sets samples that are NaN or infinite to 0; finite samples stay unchanged, however large.
    @_noLocks @_noAllocation
    public static func clearNonFinite(_ samples: UnsafeMutablePointer<Double>, count: Int) {
        clearNonFinite(samples, count)
    }

    @inline(__always)
    private static func clearNonFinite<Sample: BinaryFloatingPoint>(
        _ samples: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        var index = 0
        while index < count {
            let sample = samples[index]
            // Only for finite numbers the difference from themselves is 0.
            samples[index] = sample - sample == 0 ? sample : 0
            index &+= 1
        }
    }
}

extension VectorOperations {
    /// Returns the greatest of eight parallel maxima. They are written out, because the compiler must not reorder
    /// comparisons, which may involve NaN.
    @_noLocks @_noAllocation
    private static func peak(blocks samples: UnsafePointer<Float>, count: Int) -> Float {
        let memory = UnsafeRawPointer(samples)
        var peaks = SIMD8<Float>()
        var index = 0
        while index < count {
            let block = memory.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
            let magnitudes = unsafeBitCast(
                unsafeBitCast(block, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF, to: SIMD8<Float>.self)
            peaks.replace(with: magnitudes, where: magnitudes .> peaks)
            index &+= 8
        }
        var peak: Float = 0
        var lane = 0
        while lane < 8 {
            peak = peaks[lane] > peak ? peaks[lane] : peak
            lane &+= 1
        }
        return peak
    }

    /// Returns the total of eight parallel sums. They are written out for the same reason: a reordered sum rounds
    /// differently.
    @_noLocks @_noAllocation
    private static func sumOfSquares(blocks samples: UnsafePointer<Float>, count: Int) -> Double {
        var (low, high) = (SIMD4<Double>(), SIMD4<Double>())
        var index = 0
        while index < count {
            let first = four(samples + index)
            let second = four(samples + (index &+ 4))
            low += first * first
            high += second * second
            index &+= 8
        }
        let sums = low + high
        return (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    @inline(__always) @_noLocks @_noAllocation
    private static func four(_ samples: UnsafePointer<Float>) -> SIMD4<Double> {
        SIMD4(Double(samples[0]), Double(samples[1]), Double(samples[2]), Double(samples[3]))
    }

    /// Returns the square root: a single instruction, which the checker mistakes for a call to C.
    @_semantics("no_performance_analysis")
    private static func squareRoot(_ value: Double) -> Double { value.squareRoot() }

    @inline(__always) @_noLocks @_noAllocation
    private static func clipCount(
        _ samples: UnsafePointer<Float>, _ count: Int, step: Int, _ limit: Float
    ) -> Int {
        var clipped = 0
        var index = 0
        while index < count {
            clipped &+= samples[index &* step].magnitude <= limit ? 0 : 1
            index &+= 1
        }
        return clipped
    }
}
