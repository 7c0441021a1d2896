// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The channel order of Vorbis and Opus, which differs from that of `ChannelLayout` and which libsndfile preserves.
/// Sources: Vorbis I §4.3.9, RFC 7845 §5.1.1.2.
enum OggChannels {
    /// Returns the file's channel number for each channel of `ChannelLayout`; `nil` if both orders are the same.
    private static func order(channels: Int) -> [Int]? {
        switch channels {
        case 3: [0, 2, 1]
        case 5: [0, 2, 1, 3, 4]
        case 6: [0, 2, 1, 5, 3, 4]
        case 7: [0, 2, 1, 6, 5, 3, 4]
        case 8: [0, 2, 1, 7, 5, 6, 3, 4]
        default: nil
        }
    }

    /// Reorders interleaved samples from the order of `ChannelLayout` into that of a file, in place.
    static func restore(_ samples: UnsafeMutableRawPointer, _ type: SampleType, frames: Int, channels: Int) {
        guard let order = order(channels: channels) else { return }
        var inverse = order
        for (ours, theirs) in order.enumerated() { inverse[theirs] = ours }
        permute(samples, type, frames: frames, inverse)
    }

    private static func permute(_ samples: UnsafeMutableRawPointer, _ type: SampleType, frames: Int, _ order: [Int]) {
        switch type {
        case .float64: permute(samples.assumingMemoryBound(to: UInt64.self), frames: frames, order)
        case .float32, .int32: permute(samples.assumingMemoryBound(to: UInt32.self), frames: frames, order)
        case .int16: permute(samples.assumingMemoryBound(to: UInt16.self), frames: frames, order)
        }
    }

    /// Moves channel `order[n]` to channel n.
    private static func permute<Bits>(_ samples: UnsafeMutablePointer<Bits>, frames: Int, _ order: [Int]) {
        withUnsafeTemporaryAllocation(of: Bits.self, capacity: order.count) { frame in
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
    /// Sources: as above, RFC 9639 §9.1.3.
    func layout(channels: Int) -> ChannelLayout? {
        guard [.oggVorbis, .opus, .flac].contains(self) else { return nil }
        let front: ChannelLayout = [.stereo, .frontCenter]
        switch channels {
        case 3: return front
        case 5: return [front, .backLeft, .backRight]
        case 7: return [front, .lowFrequency, .backCenter, .sideLeft, .sideRight]
        default: return .standard(channels: channels)
        }
    }
}
