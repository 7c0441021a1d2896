// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A fade of the first and of the last frames of interleaved samples. It holds the last frames back, because the end is
/// not known before.
struct EdgeFade {
    private let channels: Int
    /// The factor of each frame of a fade; half of a raised cosine.
    private let gains: [Float]
    private var held: [Float] = []
    /// The number of frames so far.
    private var position = 0

    /// - Parameter frames: the length of each fade.
    init(frames: Int, channels: Int) {
        self.channels = channels
        gains = (0..<frames).map { Float(0.5 - 0.5 * cos(Double.pi * (Double($0) + 0.5) / Double(frames))) }
    }

    /// Takes the next samples.
    /// - Returns: the samples that are not held back.
    mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [Float] {
        let first = held.count
        held.append(contentsOf: samples)
        for frame in 0..<max(0, min(samples.count / channels, gains.count - position)) {
            multiply(frame: first / channels + frame, by: gains[position + frame])
        }
        position += samples.count / channels
        let ready = max(0, held.count - gains.count * channels)
        defer { held.removeFirst(ready) }
        return Array(held[..<ready])
    }

    /// Returns the last frames.
    mutating func finish() -> [Float] {
        let frames = held.count / channels
        for frame in 0..<frames { multiply(frame: frame, by: gains[frames - 1 - frame]) }
        defer { held = [] }
        return held
    }

    private mutating func multiply(frame: Int, by gain: Float) {
        for index in frame * channels..<(frame + 1) * channels { held[index] *= gain }
    }
}
