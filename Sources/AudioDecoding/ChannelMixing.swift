// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension PCMBuffer {
    /// Appends `samples`, interleaved in `channels`, in this buffer's own channel count.
    ///
    /// One channel goes to all; all go to one as their mean. Otherwise channel goes to channel of the same number,
    /// and what has no counterpart is dropped or silent.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, mixedFrom channels: Int) {
        let frames = samples.count / channels
        let room = room
        let own = format.channels
        for frame in 0..<frames {
            let input = frame * channels
            for channel in 0..<own {
                room[frame * own + channel] =
                    if own == 1 {
                        mean(of: samples[input..<(input + channels)])
                    } else if channels == 1 {
                        samples[input]
                    } else {
                        channel < channels ? samples[input + channel] : 0
                    }
            }
        }
        commit(frames: frames)
    }
}

private func mean(of samples: Slice<UnsafeBufferPointer<Float>>) -> Float {
    samples.reduce(0, +) / Float(samples.count)
}
