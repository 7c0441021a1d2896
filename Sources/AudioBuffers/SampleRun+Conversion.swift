// SPDX-License-Identifier: GPL-3.0-or-later
import Media

// The protocol, its conformances and the loops are in one file, because a debug build compiles each file separately,
// and the `@_noLocks` checker must see the functions that the loops call.

extension SampleRun {
    /// Writes `count` samples to `target`, converted to its type. Both are in the machine's byte order and do not
    /// overlap.
    @_noLocks @_noAllocation
    func convert(to target: SampleRun, count: Int) {
        if type == target.type { return copy(to: target, count: count) }
        switch type {
        case .int16: convert(start.assumingMemoryBound(to: Int16.self), to: target, count)
        case .int32: convert(start.assumingMemoryBound(to: Int32.self), to: target, count)
        case .float32: convert(start.assumingMemoryBound(to: Float.self), to: target, count)
        case .float64: convert(start.assumingMemoryBound(to: Double.self), to: target, count)
        }
    }

    /// Adds `count` samples, as fractions of full scale times a gain, to `sum`.
    @_noLocks @_noAllocation
    func add(to sum: UnsafeMutablePointer<Double>, gain: Double, count: Int) {
        switch type {
        case .int16: add(start.assumingMemoryBound(to: Int16.self), sum, gain, count)
        case .int32: add(start.assumingMemoryBound(to: Int32.self), sum, gain, count)
        case .float32: add(start.assumingMemoryBound(to: Float.self), sum, gain, count)
        case .float64: add(start.assumingMemoryBound(to: Double.self), sum, gain, count)
        }
    }
}

extension SampleRun {
    private func convert<Source: StoredSample>(
        _ samples: UnsafeMutablePointer<Source>, to target: SampleRun, _ count: Int
    ) {
        let memory = target.start
        switch target.type {
        case .int16: convert(samples, memory.assumingMemoryBound(to: Int16.self), target.stride, count)
        case .int32: convert(samples, memory.assumingMemoryBound(to: Int32.self), target.stride, count)
        case .float32: convert(samples, memory.assumingMemoryBound(to: Float.self), target.stride, count)
        case .float64: convert(samples, memory.assumingMemoryBound(to: Double.self), target.stride, count)
        }
    }

    private func convert<Source: StoredSample, Target: StoredSample>(
        _ samples: UnsafeMutablePointer<Source>, _ converted: UnsafeMutablePointer<Target>, _ targetStride: Int,
        _ count: Int
    ) {
        switch (stride, targetStride) {
        case (1, 1): convert(samples, 1, converted, 1, count)
        case (2, 1): convert(samples, 2, converted, 1, count)
        default: convert(samples, stride, converted, targetStride, count)
        }
    }

    /// Converts samples at the given distances. The compiler vectorizes calls in which the distances are constant.
    @inline(__always)
    private func convert<Source: StoredSample, Target: StoredSample>(
        _ samples: UnsafeMutablePointer<Source>, _ stride: Int, _ converted: UnsafeMutablePointer<Target>,
        _ targetStride: Int, _ count: Int
    ) {
        var index = 0
        while index < count {
            converted[index &* targetStride].fraction = samples[index &* stride].fraction
            index &+= 1
        }
    }
}

extension SampleRun {
    private func add<Source: StoredSample>(
        _ samples: UnsafeMutablePointer<Source>, _ sum: UnsafeMutablePointer<Double>, _ gain: Double, _ count: Int
    ) {
        switch stride {
        case 1: add(samples, 1, sum, gain, count)
        case 2: add(samples, 2, sum, gain, count)
        default: add(samples, stride, sum, gain, count)
        }
    }

    @inline(__always)
    private func add<Source: StoredSample>(
        _ samples: UnsafeMutablePointer<Source>, _ stride: Int, _ sum: UnsafeMutablePointer<Double>, _ gain: Double,
        _ count: Int
    ) {
        var index = 0
        while index < count {
            sum[index] += samples[index &* stride].fraction * gain
            index &+= 1
        }
    }
}

/// A sample as stored in memory, in the machine's byte order. Each type converts to any other through Float64, which
/// represents all of them exactly, so that a value is rounded only once.
protocol StoredSample: BitwiseCopyable {
    /// The value as a fraction of full scale; a new value is rounded to the nearest representable one.
    var fraction: Double { get set }
}

extension Int16: StoredSample {
    var fraction: Double {
        @inline(__always) @_noLocks @_noAllocation get { Double(self) * 0x1p-15 }
        @inline(__always) @_noLocks @_noAllocation set {
            self = Int16(truncatingIfNeeded: nearestInteger(newValue * 0x1p15, least: -0x1p15, greatest: 0x1p15 - 1))
        }
    }
}

extension Int32: StoredSample {
    var fraction: Double {
        @inline(__always) @_noLocks @_noAllocation get { Double(self) * 0x1p-31 }
        @inline(__always) @_noLocks @_noAllocation set {
            self = Int32(truncatingIfNeeded: nearestInteger(newValue * 0x1p31, least: -0x1p31, greatest: 0x1p31 - 1))
        }
    }
}

extension Float: StoredSample {
    var fraction: Double {
        @inline(__always) @_noLocks @_noAllocation get { Double(self) }
        @inline(__always) @_noLocks @_noAllocation set { self = Float(newValue) }
    }
}

extension Double: StoredSample {
    var fraction: Double {
        @inline(__always) @_noLocks @_noAllocation get { self }
        @inline(__always) @_noLocks @_noAllocation set { self = newValue }
    }
}

/// Returns the nearest integer in the lowest bits; the bits above are undefined. NaN becomes 0.
@inline(__always) @_noLocks @_noAllocation
private func nearestInteger(_ value: Double, least: Double, greatest: Double) -> UInt64 {
    let number = value == value ? value : 0
    let below = number > greatest ? greatest : number
    let inRange = below < least ? least : below
    // A sum this large has no fractional bits, so the addition rounds. The compiler can vectorize this, unlike the
    // processor's conversion instruction.
    return (inRange + 0x1.8p52).bitPattern
}
