// SPDX-License-Identifier: GPL-3.0-or-later

/// A gain that moves to its target in a straight line over a fixed number of frames, so that no change clicks.
struct GainRamp: BitwiseCopyable {
    let length: Int
    private(set) var gain: Float
    private(set) var target: Float
    private var framesLeft = 0

    init(gain: Float, length: Int) {
        self.length = max(1, length)
        self.gain = gain
        target = gain
    }

    /// Multiplies `frames × channels` samples by the gain, which moves toward `newTarget`. At a steady gain of 1
    /// samples stay unchanged; only a gain above 1 clips, at ±1.
    @_noLocks @_noAllocation
    mutating func apply(toward newTarget: Float, to samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        if newTarget != target {
            target = newTarget
            framesLeft = length
        }
        var frame = 0
        while frame < frames {
            if framesLeft == 0 && gain == 1 { return }
            step()
            scale(samples + frame * channels, count: channels)
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private mutating func step() {
        guard framesLeft > 0 else { return }
        gain += (target - gain) / Float(framesLeft)
        framesLeft &-= 1
        // The divisions round, so without this the gain might never become exactly 1.
        if framesLeft == 0 { gain = target }
    }

    @_noLocks @_noAllocation
    private func scale(_ samples: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            let scaled = samples[index] * gain
            samples[index] = gain <= 1 ? scaled : (scaled > 1 ? 1 : (scaled < -1 ? -1 : scaled))
            index &+= 1
        }
    }
}
