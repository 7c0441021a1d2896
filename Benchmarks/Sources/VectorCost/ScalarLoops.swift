// SPDX-License-Identifier: GPL-3.0-or-later
import CVectorBaseline

/// The vector operations as plain loops over one sample after the other. `keep_scalar` is an empty instruction that
/// the compiler may neither remove nor combine for several samples: it costs nothing and keeps the loops from being
/// vectorised.
enum ScalarLoops {
    @inline(never)
    static func multiply(_ samples: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float) {
        for index in 0..<count {
            samples[index] *= gain
            keep_scalar()
        }
    }

    @inline(never)
    static func multiplyRamp(
        _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ channels: Int, _ start: Float, _ step: Float
    ) {
        for frame in 0..<frames {
            let gain = start + step * Float(frame)
            for channel in 0..<channels {
                samples[frame * channels + channel] *= gain
                keep_scalar()
            }
        }
    }

    @inline(never)
    static func add(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float
    ) {
        for index in 0..<count {
            target[index] += source[index] * gain
            keep_scalar()
        }
    }

    @inline(never)
    static func addRamp(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int, _ start: Float,
        _ step: Float
    ) {
        for frame in 0..<frames {
            let gain = start + step * Float(frame)
            for place in frame * 2..<frame * 2 + 2 {
                target[place] += source[place] * gain
                keep_scalar()
            }
        }
    }

    @inline(never)
    static func peak(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        var peak: Float = 0
        for index in 0..<count {
            peak = max(peak, samples[index].magnitude)
            keep_scalar()
        }
        return peak
    }

    @inline(never)
    static func sumOfSquares(_ samples: UnsafePointer<Float>, _ count: Int) -> Double {
        var sum = 0.0
        for index in 0..<count {
            sum += Double(samples[index]) * Double(samples[index])
            keep_scalar()
        }
        return sum
    }

    @inline(never)
    static func clipCount(_ samples: UnsafePointer<Float>, _ count: Int) -> Int {
        var clipped = 0
        for index in 0..<count {
            if !(samples[index].magnitude <= 1) { clipped += 1 }
            keep_scalar()
        }
        return clipped
    }

    @inline(never)
    static func clip(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        for index in 0..<count {
            samples[index] = samples[index].isNaN ? 0 : min(1, max(-1, samples[index]))
            keep_scalar()
        }
    }
}

extension ScalarLoops {
    @inline(never)
    static func interleave(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        for frame in 0..<frames {
            target[frame * 2] = left[frame]
            keep_scalar()
            target[frame * 2 + 1] = right[frame]
            keep_scalar()
        }
    }

    @inline(never)
    static func deinterleave(
        _ source: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        for frame in 0..<frames {
            left[frame] = source[frame * 2]
            keep_scalar()
            right[frame] = source[frame * 2 + 1]
            keep_scalar()
        }
    }

    @inline(never)
    static func reverse(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        for frame in 0..<frames / 2 {
            for channel in 0..<2 {
                let (one, other) = (frame * 2 + channel, (frames - 1 - frame) * 2 + channel)
                (samples[one], samples[other]) = (samples[other], samples[one])
                keep_scalar()
            }
        }
    }

    @inline(never)
    static func convert(_ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Float>, _ count: Int) {
        for index in 0..<count {
            target[index] = Float(source[index]) / 32768
            keep_scalar()
        }
    }

    @inline(never)
    static func convert(_ source: UnsafePointer<Int32>, _ target: UnsafeMutablePointer<Float>, _ count: Int) {
        for index in 0..<count {
            target[index] = Float(source[index]) / 2_147_483_648
            keep_scalar()
        }
    }

    @inline(never)
    static func convert(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Int16>, _ count: Int) {
        for index in 0..<count {
            let scaled = (source[index] * 32768).rounded(.toNearestOrEven)
            target[index] = scaled.isNaN ? 0 : Int16(min(32767, max(-32768, scaled)))
            keep_scalar()
        }
    }

    @inline(never)
    static func convert(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Int32>, _ count: Int) {
        for index in 0..<count {
            let scaled = (Double(source[index]) * 2_147_483_648).rounded(.toNearestOrEven)
            target[index] = scaled.isNaN ? 0 : Int32(min(2_147_483_647, max(-2_147_483_648, scaled)))
            keep_scalar()
        }
    }
}
