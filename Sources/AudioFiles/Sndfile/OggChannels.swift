// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// The channel order of Vorbis and Opus, which differs from that of `ChannelLayout` and which libsndfile preserves.
enum OggChannels {
    /// Reorders interleaved samples from the order of `ChannelLayout` into that of a file, in place.
    static func restore(_ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        let order = SpeakerOrder.xiph(channels: channels)
        guard !order.isStandard else { return }
        let sources = order.sources
        var inverse = sources
        for (ours, theirs) in sources.enumerated() { inverse[theirs] = ours }
        permute(samples, frames: frames, inverse)
    }

    /// Moves channel `order[n]` to channel n.
    private static func permute(_ samples: UnsafeMutablePointer<Float>, frames: Int, _ order: [Int]) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: order.count) { frame in
            guard let before = frame.baseAddress else { return }
            before.initialize(from: samples, count: order.count)
            for number in 0..<frames {
                let after = samples + number * order.count
                before.update(from: after, count: order.count)
                for (channel, source) in order.enumerated() { after[channel] = before[source] }
            }
        }
    }
}

extension AudioFileType {
    /// Returns the loudspeakers that this file type defines for the number of channels; `nil` if it defines none.
    func layout(channels: Int) -> ChannelLayout? {
        switch self {
        case .oggVorbis, .opus: SpeakerOrder.xiph(channels: channels).layout
        case .flac: SpeakerOrder.flac(channels: channels).layout
        case .mp3, .wav, .aiff, .caf, .mp4, .adts: nil
        }
    }
}
