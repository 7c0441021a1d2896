// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// The peak of the continuous signal near each frame, estimated by fourfold oversampling with a windowed sinc.
/// Source: ITU-R BS.1770-5 annex 2; the coefficients are our own.
///
/// The peak of a frame is the greatest magnitude among its samples and the three points between each of them and the
/// next sample of the same channel.
struct TruePeakFilter: Sendable {
    typealias Vector = SIMD8<Float>
    /// The number of frames by which a peak arrives later than its frame.
    static let delay = OversamplingKernel.long.length / 2
    static let longestBlock = 512
    /// The number of previous samples that the kernels need, and the length of a plane.
    private static let history = OversamplingKernel.long.length - 1
    private static let stride = history + longestBlock + Vector.scalarCount
    private static let greatestGain = max(OversamplingKernel.long.greatestGain, OversamplingKernel.short.greatestGain)

    let channels: Int
    /// For each channel a plane of previous samples, a block, and space for a partial vector; then a plane with the
    /// peaks of the block.
    private var planes: [Float]

    init(channels: Int) {
        self.channels = channels
        planes = Array(repeating: 0, count: (channels + 1) * Self.stride)
    }

    /// Returns the peak of a frame, which was `delay` frames before `frame` of the last block.
    func peak(at frame: Int) -> Float { planes[channels * Self.stride + frame] }

    /// Takes a block. Returns false if none of its peaks can exceed `floor`: then they are not computed.
    /// - Parameter samples: `frames × channels` finite samples; at most `longestBlock` frames.
    mutating func measure(_ samples: UnsafePointer<Float>, frames: Int, above floor: Float) -> Bool {
        let (channels, history, stride) = (channels, Self.history, Self.stride)
        return planes.withUnsafeMutableBufferPointer { planes in
            guard let planes = planes.baseAddress else { return false }
            VectorOperations.deinterleave(
                samples, channels: channels, toPlanes: planes + history, planeStride: stride, frames: frames)
            var highest: Float = 0
            for channel in 0..<channels {
                highest = max(highest, VectorOperations.peak(planes + channel * stride, count: history + frames))
            }
            let exceeds = highest * Self.greatestGain > floor
            let peaks = planes + channels * stride
            if exceeds { VectorOperations.clear(peaks, count: frames) }
            for channel in 0..<channels {
                let plane = planes + channel * stride
                if exceeds { Self.raise(peaks, frames: frames, to: plane) }
                VectorOperations.copy(plane + frames, to: plane, count: history)
            }
            return exceeds
        }
    }

    private static func raise(_ peaks: UnsafeMutablePointer<Float>, frames: Int, to plane: UnsafePointer<Float>) {
        let (long, short) = (OversamplingKernel.long, OversamplingKernel.short)
        long.raise(peaks, frames: frames, to: plane)
        // Its points are in the middle of the long one.
        short.raise(peaks, frames: frames, to: plane + (long.length - short.length) / 2)
    }

    /// Forgets the previous samples.
    mutating func reset() {
        for index in planes.indices { planes[index] = 0 }
    }
}
