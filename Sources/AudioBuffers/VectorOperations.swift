// SPDX-License-Identifier: GPL-3.0-or-later

/// A namespace for arithmetic on runs of Float32 samples. Apple's counterpart is vDSP.
///
/// Every operation is a plain loop over the caller's memory that the compiler vectorizes. None of them locks,
/// allocates or makes system calls, and all are annotated so that functions of the render path, also in other
/// modules, may call them. Counts of 0 or less do nothing. Pointers need only the alignment of their sample type.
/// Unless noted otherwise, source and target are the same or do not overlap. Gains are not checked: a NaN gain
/// produces NaN samples.
///
///     // Two voices into one block, the second one fading in, and the block's peak.
///     VectorOperations.multiply(block, count: frames * 2, by: 0.5)
///     VectorOperations.addRamp(voice, to: block, frames: frames, channels: 2, from: 0, step: 1 / Float(frames))
///     let peak = VectorOperations.peak(block, count: frames * 2)
public enum VectorOperations {
    // MARK: Gain

    /// Multiplies samples in place. vDSP: `vsmul`.
    @_noLocks @_noAllocation
    public static func multiply(_ samples: UnsafeMutablePointer<Float>, count: Int, by gain: Float) {
        var index = 0
        while index < count {
            samples[index] *= gain
            index &+= 1
        }
    }

    /// Multiplies `frames × channels` interleaved samples by a gain that moves in a straight line, the same for all
    /// channels of a frame. vDSP: `vrampmul`.
    /// - Parameters:
    ///   - frames: at most 2³¹ − 1.
    ///   - start: the gain of the first frame.
    ///   - step: the difference from one frame's gain to the next; frame n has `start + step × n`, wherever the block
    ///     is cut.
    @_noLocks @_noAllocation
    public static func multiplyRamp(
        _ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int, from start: Float, step: Float
    ) {
        let frames = Int32(clamping: frames)
        switch channels {
        case 1: multiplyRamp(mono: samples, frames, start, step)
        case 2: multiplyRamp(stereo: samples, frames, start, step)
        default:
            var frame: Int32 = 0
            while frame < frames {
                multiply(samples + Int(frame) &* channels, count: channels, by: gain(at: frame, start, step))
                frame &+= 1
            }
        }
    }

    // MARK: Mix

    /// Adds `count` samples of `source` times `gain` to `target`. vDSP: `vsma`.
    @_noLocks @_noAllocation
    public static func add(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int, gain: Float = 1
    ) {
        var index = 0
        while index < count {
            target[index] += source[index] * gain
            index &+= 1
        }
    }

    /// Adds `frames × channels` interleaved samples of `source` to `target`, times a gain that moves as in
    /// `multiplyRamp`. vDSP: `vrampmuladd`.
    @_noLocks @_noAllocation
    public static func addRamp(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, frames: Int, channels: Int,
        from start: Float, step: Float
    ) {
        let frames = Int32(clamping: frames)
        switch channels {
        case 1: addRamp(mono: source, target, frames, start, step)
        case 2: addRamp(stereo: source, target, frames, start, step)
        default:
            var frame: Int32 = 0
            while frame < frames {
                let first = Int(frame) &* channels
                add(source + first, to: target + first, count: channels, gain: gain(at: frame, start, step))
                frame &+= 1
            }
        }
    }

    // MARK: Copy

    /// Sets samples to 0. vDSP: `vclr`.
    @_noLocks @_noAllocation
    public static func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            samples[index] = 0
            index &+= 1
        }
    }

    /// Copies samples; source and target may overlap in any way.
    @_noLocks @_noAllocation
    public static func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        UnsafeMutableRawPointer(target).copyMemory(
            from: UnsafeRawPointer(source), byteCount: max(0, count) &* MemoryLayout<Float>.stride)
    }
}

extension VectorOperations {
    /// Returns the gain of a frame. The frame has 32 bits, because SIMD can convert several such integers to floats
    /// in one step.
    @inline(__always) @_noLocks @_noAllocation
    private static func gain(at frame: Int32, _ start: Float, _ step: Float) -> Float { start + step * Float(frame) }

    @_noLocks @_noAllocation
    private static func multiplyRamp(
        mono samples: UnsafeMutablePointer<Float>, _ frames: Int32, _ start: Float, _ step: Float
    ) {
        var frame: Int32 = 0
        while frame < frames {
            samples[Int(frame)] *= gain(at: frame, start, step)
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func multiplyRamp(
        stereo samples: UnsafeMutablePointer<Float>, _ frames: Int32, _ start: Float, _ step: Float
    ) {
        var frame: Int32 = 0
        while frame < frames {
            let gain = gain(at: frame, start, step)
            samples[Int(frame) &* 2] *= gain
            samples[Int(frame) &* 2 &+ 1] *= gain
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func addRamp(
        mono source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int32, _ start: Float,
        _ step: Float
    ) {
        var frame: Int32 = 0
        while frame < frames {
            target[Int(frame)] += source[Int(frame)] * gain(at: frame, start, step)
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func addRamp(
        stereo source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int32, _ start: Float,
        _ step: Float
    ) {
        var frame: Int32 = 0
        while frame < frames {
            let gain = gain(at: frame, start, step)
            target[Int(frame) &* 2] += source[Int(frame) &* 2] * gain
            target[Int(frame) &* 2 &+ 1] += source[Int(frame) &* 2 &+ 1] * gain
            frame &+= 1
        }
    }
}
