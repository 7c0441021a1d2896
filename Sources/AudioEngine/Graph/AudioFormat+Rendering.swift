// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioFormat {
    /// More frames than any device asks for, and few enough that a slice of any format fits in memory.
    static var longestSlice: Int { 1 << 20 }

    /// Whether it is what the render path computes in, with a rate and channels that `renderable` leaves as they are.
    var canBeStreamed: Bool {
        isRenderable && (sampleRate, channels) == (renderable.sampleRate, renderable.channels)
    }

    /// So many frames, or as many as a buffer that is made for them may hold: 1 GiB.
    func buffered(_ frames: Int) -> Int { min(frames, max(64, (1 << 28) / max(1, channels))) }

    /// The same sound as the render path has it: interleaved Float32, 1...2²⁴ frames a second, 1...1024 channels. What
    /// is beyond is brought to its end, so that nobody below divides by nothing or multiplies beyond 64 bits.
    var renderable: AudioFormat {
        let channels = min(max(1, channels), 1024)
        return AudioFormat(
            sampleRate: min(max(1, sampleRate), 1 << 24), channels: channels,
            layout: channels == self.channels ? layout : nil)
    }
}
