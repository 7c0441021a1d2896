// SPDX-License-Identifier: GPL-3.0-or-later

/// The gain that rises in a straight line after a start and falls before a stop. Its level counts frames, so that it
/// is known to the frame how many a stop still takes.
struct StopFade: Sendable {
    /// Frames from silence to full; 0: it starts and stops at once.
    let length: Int

    /// Brings the level nearer to full, or to 0, by a frame for each frame.
    /// - Returns: the level afterwards, `0...length`. At full no sample is touched.
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
