// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// An equal-power crossfade between two sounds: the squares of both gains always add up to 1, so that the loudness of
/// two uncorrelated sounds stays constant.
struct Crossfade {
    /// The length in frames.
    let length: Int

    /// Mixes `partner` into `samples`, which are `frames` frames of the sound that fades out.
    /// - Parameter first: the index, in the crossfade, of the first of these frames.
    func apply(
        from first: Int, frames: Int, to samples: UnsafeMutablePointer<Float>, partner: UnsafePointer<Float>,
        channels: Int
    ) {
        for frame in 0..<frames {
            let (out, into) = gains(at: first + frame)
            for index in frame * channels..<(frame + 1) * channels {
                samples[index] = samples[index] * out + partner[index] * into
            }
        }
    }

    /// Returns the gains of the two sounds in one frame of the crossfade, `0..<length`.
    func gains(at frame: Int) -> (out: Float, into: Float) {
        let angle = (Double(frame) + 0.5) / Double(max(1, length)) * .pi / 2
        return (Float(cos(angle)), Float(sin(angle)))
    }
}
