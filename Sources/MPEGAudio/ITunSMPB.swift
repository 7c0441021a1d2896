// SPDX-License-Identifier: GPL-3.0-or-later

/// What iTunes writes into an ID3v2 comment of that name: plain PCM counts, the decoder's delay included.
public struct ITunSMPB: Sendable, Equatable {
    /// PCM frames to drop at the head.
    public let delay: Int64
    /// PCM frames to drop at the tail.
    public let padding: Int64
    /// PCM frames of music between the two.
    public let frames: Int64

    public init(delay: Int64, padding: Int64, frames: Int64) {
        self.delay = delay
        self.padding = padding
        self.frames = frames
    }
}
