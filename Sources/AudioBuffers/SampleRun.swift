// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A run of samples at equal distances: a plane, or one channel of several.
struct SampleRun: BitwiseCopyable {
    let start: UnsafeMutableRawPointer
    let type: SampleType
    /// The distance from one sample to the next, in samples.
    let stride: Int

    @_noLocks @_noAllocation
    init(_ start: UnsafeMutableRawPointer, _ type: SampleType, stride: Int = 1) {
        self.start = start
        self.type = type
        self.stride = stride
    }
}

extension SampleRun {
    @_noLocks @_noAllocation
    func dropFirst(_ count: Int) -> SampleRun {
        SampleRun(start + count &* stride &* type.bytes, type, stride: stride)
    }
}

extension AudioBufferSlice {
    /// Returns the samples of one channel from `frame` on.
    @_noLocks @_noAllocation
    func run(channel: Int, from frame: Int) -> SampleRun {
        let type = format.sampleType
        return format.isInterleaved
            ? SampleRun(
                plane(0) + (frame &* format.channels &+ channel) &* type.bytes, type, stride: format.channels)
            : SampleRun(plane(channel) + frame &* type.bytes, type)
    }
}

extension SampleRun {
    /// Copies `count` samples, bit by bit, to `target`, which has the same type.
    @_noLocks @_noAllocation
    func copy(to target: SampleRun, count: Int, swapping: Bool = false) {
        switch type.bytes {
        case 2: copy(start.assumingMemoryBound(to: UInt16.self), to: target, count, swapping)
        case 4: copy(start.assumingMemoryBound(to: UInt32.self), to: target, count, swapping)
        default: copy(start.assumingMemoryBound(to: UInt64.self), to: target, count, swapping)
        }
    }

    /// Writes silence, which is all zero bits in every type and byte order.
    @_noLocks @_noAllocation
    func clear(count: Int) {
        switch type.bytes {
        case 2: clear(start.assumingMemoryBound(to: UInt16.self), count)
        case 4: clear(start.assumingMemoryBound(to: UInt32.self), count)
        default: clear(start.assumingMemoryBound(to: UInt64.self), count)
        }
    }
}

extension SampleRun {
    private func copy<Bits: FixedWidthInteger & BitwiseCopyable>(
        _ samples: UnsafeMutablePointer<Bits>, to target: SampleRun, _ count: Int, _ swapping: Bool
    ) {
        let copied = target.start.assumingMemoryBound(to: Bits.self)
        switch (stride, target.stride) {
        case (1, 1): copy(samples, 1, copied, 1, count, swapping)
        case (2, 1): copy(samples, 2, copied, 1, count, swapping)
        default: copy(samples, stride, copied, target.stride, count, swapping)
        }
    }

    /// Copies samples at the given distances. The compiler vectorizes calls in which the distances are constant.
    @inline(__always)
    private func copy<Bits: FixedWidthInteger & BitwiseCopyable>(
        _ samples: UnsafeMutablePointer<Bits>, _ stride: Int, _ copied: UnsafeMutablePointer<Bits>,
        _ targetStride: Int, _ count: Int, _ swapping: Bool
    ) {
        var index = 0
        while index < count {
            let sample = samples[index &* stride]
            copied[index &* targetStride] = swapping ? sample.byteSwapped : sample
            index &+= 1
        }
    }

    private func clear<Bits: FixedWidthInteger & BitwiseCopyable>(_ samples: UnsafeMutablePointer<Bits>, _ count: Int) {
        var index = 0
        while index < count {
            samples[index &* stride] = 0
            index &+= 1
        }
    }
}
