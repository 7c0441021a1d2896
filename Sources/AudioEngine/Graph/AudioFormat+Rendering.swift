// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioFormat {
    /// The maximum length of a slice: more frames than any device requests, and few enough that a slice of any format
    /// fits in memory.
    static var longestSlice: Int { 1 << 20 }

    /// True if the render path computes in this format, and `renderable` changes neither its rate nor its channels.
    var canBeStreamed: Bool {
        isRenderable && (sampleRate, channels) == (renderable.sampleRate, renderable.channels)
    }

    /// Returns `frames`, limited to the number of frames in a buffer of 1 GiB.
    func buffered(_ frames: Int) -> Int { min(frames, max(64, (1 << 28) / max(1, channels))) }

    /// The format in which the render path processes this sound: interleaved Float32, 1...2²⁴ frames a second,
    /// 1...1024 channels. Values outside these ranges are clamped, so that no later code divides by zero or overflows
    /// 64 bits.
    var renderable: AudioFormat {
        let channels = min(max(1, channels), 1024)
        return AudioFormat(
            sampleRate: min(max(1, sampleRate), 1 << 24), channels: channels,
            layout: channels == self.channels ? layout : nil)
    }
}
