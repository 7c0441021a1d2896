// SPDX-License-Identifier: GPL-3.0-or-later

/// Values between PCM frames, on the cubic through the two frames around a place that has, at each, the slope between
/// its neighbours (Catmull and Rom, 1974). Exact at the frames.
///
/// It does not filter: above rate 1, what is higher than half the sample rate divided by the rate is folded down.
enum CubicInterpolation {
    /// - Parameters:
    ///   - source: frames of the path, the first one being the frame before the cursor's own.
    ///   - frames: how many to make.
    static func resample(
        _ source: UnsafePointer<Float>, along cursor: StreamCursor, into target: UnsafeMutablePointer<Float>,
        frames: Int, channels: Int
    ) {
        for frame in 0..<frames {
            let (index, phase) = cursor.offset(after: frame)
            let part = Float(Double(phase) / Double(StreamCursor.one))
            let first = source + index * channels
            for channel in 0..<channels {
                target[frame * channels + channel] = value(
                    at: part, first[channel], first[channels + channel], first[2 * channels + channel],
                    first[3 * channels + channel])
            }
        }
    }

    /// - Parameter part: how far from `b` to `c`, `0..<1`.
    static func value(at part: Float, _ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
        let linear = 0.5 * (c - a)
        let square = a - 2.5 * b + 2 * c - 0.5 * d
        let cubic = 0.5 * (d - a) + 1.5 * (b - c)
        return ((cubic * part + square) * part + linear) * part + b
    }
}
