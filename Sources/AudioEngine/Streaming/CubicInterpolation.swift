// SPDX-License-Identifier: GPL-3.0-or-later

/// An interpolation between PCM frames: the cubic through the two frames around a position whose slope at each frame
/// is the slope between that frame's neighbors (Catmull and Rom, 1974). It is exact at the frames.
///
/// The interpolation does not filter: at rates above 1, frequencies above half the sample rate divided by the rate
/// alias.
enum CubicInterpolation {
    /// Interpolates output frames along a cursor.
    /// - Parameters:
    ///   - source: frames of the path; the first one is the frame before the cursor's frame.
    ///   - frames: the number of output frames.
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

    /// Returns the value between `b` and `c`.
    /// - Parameter part: the position between `b` and `c`, `0..<1`; 0 is `b`.
    static func value(at part: Float, _ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float {
        let linear = 0.5 * (c - a)
        let square = a - 2.5 * b + 2 * c - 0.5 * d
        let cubic = 0.5 * (d - a) + 1.5 * (b - c)
        return ((cubic * part + square) * part + linear) * part + b
    }
}
