// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CVectorBaseline

/// Compares each vector operation with a plain scalar loop and with C.
struct VectorContest {
    private let memory: Memory
    private var contest = Contest("1024 stereo frames", unit: "sample", others: ["scalar", "C -O3"])
    private var sink = 0.0

    init(_ memory: Memory) { self.memory = memory }

    /// - Returns: A value that depends on all results, so that the compiler cannot remove the calls.
    mutating func run() -> Double {
        gains()
        meters()
        order()
        sampleTypes()
        contest.print()
        return sink
    }

    // The gains keep the size of the samples through any number of calls.
    private mutating func gains() {
        let (floats, more, frames, samples) = (memory.floats, memory.more, Memory.frames, Memory.samples)
        contest.add(
            "multiply", samples,
            ours: {
                VectorOperations.multiply(floats, count: samples, by: -1)
            },
            others: [
                { ScalarLoops.multiply(floats, samples, -1) }, { c_multiply(floats, samples, -1) },
            ])
        contest.add(
            "multiplyRamp, mono", samples,
            ours: {
                VectorOperations.multiplyRamp(floats, frames: samples, channels: 1, from: 1, step: 0x1p-40)
            },
            others: [
                { ScalarLoops.multiplyRamp(floats, samples, 1, 1, 0x1p-40) },
                { c_multiply_ramp(floats, samples, 1, 0x1p-40) },
            ])
        contest.add(
            "multiplyRamp, stereo", samples,
            ours: {
                VectorOperations.multiplyRamp(floats, frames: frames, channels: 2, from: 1, step: 0x1p-40)
            },
            others: [
                { ScalarLoops.multiplyRamp(floats, frames, 2, 1, 0x1p-40) },
                { c_multiply_ramp_stereo(floats, frames, 1, 0x1p-40) },
            ])
        contest.add(
            "add with gain", samples,
            ours: {
                VectorOperations.add(floats, to: more, count: samples, gain: 0x1p-30)
            },
            others: [
                { ScalarLoops.add(floats, more, samples, 0x1p-30) }, { c_add(floats, more, samples, 0x1p-30) },
            ])
        contest.add(
            "addRamp, stereo", samples,
            ours: {
                VectorOperations.addRamp(floats, to: more, frames: frames, channels: 2, from: 0, step: 0x1p-40)
            },
            others: [
                { ScalarLoops.addRamp(floats, more, frames, 0, 0x1p-40) },
                { c_add_ramp_stereo(floats, more, frames, 0, 0x1p-40) },
            ])
    }

    private mutating func meters() {
        let (floats, samples) = (memory.floats, Memory.samples)
        var sum = 0.0
        contest.add(
            "peak", samples,
            ours: {
                sum += Double(VectorOperations.peak(floats, count: samples))
            },
            others: [
                { sum += Double(ScalarLoops.peak(floats, samples)) }, { sum += Double(c_peak(floats, samples)) },
            ])
        contest.add(
            "sumOfSquares", samples,
            ours: {
                sum += VectorOperations.sumOfSquares(floats, count: samples)
            },
            others: [
                { sum += ScalarLoops.sumOfSquares(floats, samples) }, { sum += c_sum_of_squares(floats, samples) },
            ])
        contest.add(
            "clipCount", samples,
            ours: {
                sum += Double(VectorOperations.clipCount(floats, count: samples))
            },
            others: [
                { sum += Double(ScalarLoops.clipCount(floats, samples)) },
                { sum += Double(c_clip_count(floats, samples)) },
            ])
        contest.add(
            "clip", samples,
            ours: {
                VectorOperations.clip(floats, count: samples)
            },
            others: [
                { ScalarLoops.clip(floats, samples) }, { c_clip(floats, samples) },
            ])
        sink += sum
    }

    private mutating func order() {
        let (floats, planes, frames, samples) = (memory.floats, memory.planes, Memory.frames, Memory.samples)
        contest.add(
            "interleave", samples,
            ours: {
                VectorOperations.interleave(
                    planes: planes, planeStride: frames, channels: 2, to: floats, frames: frames)
            },
            others: [
                { ScalarLoops.interleave(planes, planes + frames, floats, frames) },
                { c_interleave(planes, planes + frames, floats, frames) },
            ])
        contest.add(
            "deinterleave", samples,
            ours: {
                VectorOperations.deinterleave(
                    floats, channels: 2, toPlanes: planes, planeStride: frames, frames: frames)
            },
            others: [
                { ScalarLoops.deinterleave(floats, planes, planes + frames, frames) },
                { c_deinterleave(floats, planes, planes + frames, frames) },
            ])
        contest.add(
            "reverse in place", samples,
            ours: {
                VectorOperations.reverse(floats, frames: frames, channels: 2)
            },
            others: [
                { ScalarLoops.reverse(floats, frames) }, { c_reverse_stereo(floats, frames) },
            ])
    }

    private mutating func sampleTypes() {
        let (floats, shorts, longs, samples) = (memory.floats, memory.shorts, memory.longs, Memory.samples)
        contest.add(
            "Int16 to Float32", samples,
            ours: {
                VectorOperations.convert(shorts, to: floats, count: samples)
            },
            others: [
                { ScalarLoops.convert(shorts, floats, samples) }, { c_int16_to_float(shorts, floats, samples) },
            ])
        contest.add(
            "Float32 to Int16", samples,
            ours: {
                VectorOperations.convert(floats, to: shorts, count: samples)
            },
            others: [
                { ScalarLoops.convert(floats, shorts, samples) }, { c_float_to_int16(floats, shorts, samples) },
            ])
        contest.add(
            "Int32 to Float32", samples,
            ours: {
                VectorOperations.convert(longs, to: floats, count: samples)
            },
            others: [
                { ScalarLoops.convert(longs, floats, samples) }, { c_int32_to_float(longs, floats, samples) },
            ])
        contest.add(
            "Float32 to Int32", samples,
            ours: {
                VectorOperations.convert(floats, to: longs, count: samples)
            },
            others: [
                { ScalarLoops.convert(floats, longs, samples) }, { c_float_to_int32(floats, longs, samples) },
            ])
    }
}
