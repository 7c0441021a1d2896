// SPDX-License-Identifier: GPL-3.0-or-later

// The inner loops of mixing, in addition to those of `VectorOperations`. They are plain loops over pointers, which
// the `@_noLocks` checker can analyze and the optimizer vectorizes.

/// Adds stereo frames, with a separate gain for each channel.
@_noLocks @_noAllocation
func addStereo(
    _ source: UnsafePointer<Float>, left: Float, right: Float, to output: UnsafeMutablePointer<Float>, frames: Int
) {
    var index = 0
    let count = frames &* 2
    while index < count {
        output[index] += source[index] * left
        output[index &+ 1] += source[index &+ 1] * right
        index &+= 2
    }
}

/// Adds mono frames to stereo ones.
@_noLocks @_noAllocation
func addMono(
    _ source: UnsafePointer<Float>, left: Float, right: Float, to output: UnsafeMutablePointer<Float>, frames: Int
) {
    var frame = 0
    while frame < frames {
        output[frame &* 2] += source[frame] * left
        output[frame &* 2 &+ 1] += source[frame] * right
        frame &+= 1
    }
}

/// Adds mono frames to the first two of `channels` channels.
@_noLocks @_noAllocation
func addMono(
    _ source: UnsafePointer<Float>, left: Float, right: Float, to output: UnsafeMutablePointer<Float>, channels: Int,
    frames: Int
) {
    var (frame, index) = (0, 0)
    while frame < frames {
        output[index] += source[frame] * left
        output[index &+ 1] += source[frame] * right
        frame &+= 1
        index &+= channels
    }
}
