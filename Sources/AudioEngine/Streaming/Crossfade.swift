// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The change from one sound to another at equal power: the squares of both gains make 1 throughout, so that two
/// sounds unlike each other are neither louder nor softer meanwhile.
struct Crossfade {
    /// Frames that it takes.
    let length: Int

    /// Changes `samples`, `frames` frames of the sound that fades out, towards `partner`.
    /// - Parameter first: which frame of the crossfade the first of them is.
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

    /// The gains of the two sounds in one frame of it, `0..<length`.
    func gains(at frame: Int) -> (out: Float, into: Float) {
        let angle = (Double(frame) + 0.5) / Double(max(1, length)) * .pi / 2
        return (Float(cos(angle)), Float(sin(angle)))
    }
}
