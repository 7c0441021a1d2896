// SPDX-License-Identifier: GPL-3.0-or-later

/// A gain that rises in a straight line after a start and falls before a stop. Its level counts frames, so the number
/// of frames that a stop still needs is known exactly.
struct StopFade: Sendable {
    /// The number of frames from silence to full level; with 0, starts and stops are immediate.
    let length: Int

    /// Moves the level toward full, or toward 0, by one for each frame, and scales the samples.
    /// - Returns: the level afterwards, `0...length`. At full level samples stay unchanged.
    @_noLocks @_noAllocation
    func apply(
        from level: Int, rising: Bool, to samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int
    ) -> Int {
        var (level, frame) = (level, 0)
        while frame < frames, !rising || level < length {
            level = rising ? level &+ 1 : max(0, level &- 1)
            let gain = length > 0 ? Float(level) / Float(length) : 1
            var index = frame &* channels
            while index < (frame &+ 1) &* channels {
                samples[index] *= gain
                index &+= 1
            }
            frame &+= 1
        }
        return level
    }
}
