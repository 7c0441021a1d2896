// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The relation of a track's media times to its decoded PCM frames.
struct TrackClock: Sendable, Equatable {
    /// Decoded frames per second.
    let rate: Int64
    /// Units of a second in the track's tables.
    let timescale: Int64
    /// The frames of each packet if the codec fixes them (AAC); `nil` if the tables state them.
    let packetFrames: Int64?

    /// The clock of packets whose lengths the tables state.
    init(rate: Int64, timescale: Int64) { (self.rate, self.timescale, packetFrames) = (rate, timescale, nil) }

    init(_ codec: AudioCodec, timescale: Int64) {
        self.timescale = timescale
        switch codec {
        case .aac(let config):
            rate = Int64(config.format.sampleRate)
            packetFrames = Int64(config.packetFrames)
        case .flac(let info):
            rate = Int64(info.sampleRate)
            packetFrames = nil
        case .opus, .vorbis, .pcm:
            // `SoundDescription` returns neither Vorbis nor PCM.
            rate = Int64(OpusHead.sampleRate)
            packetFrames = nil
        }
    }

    /// Returns the frame at a media time, rounded to the nearest.
    func frame(at time: Int64) -> Int64 { time.scaled(by: rate, over: timescale) }

    /// Returns the media time of a frame, rounded to the nearest.
    func time(ofFrame frame: Int64) -> Int64 { frame.scaled(by: timescale, over: rate) }

    /// Returns the first frame of a packet that begins at a media time. With a fixed packet length, it is the nearest
    /// multiple of that length: timescales such as 1000 or 90000 round.
    func packetFrame(at time: Int64) -> Int64 {
        guard let packetFrames else { return frame(at: time) }
        return (frame(at: time) + packetFrames / 2) / packetFrames * packetFrames
    }

    /// Returns the frames of a packet.
    func frames(from time: Int64, duration: Int64) -> Int64 {
        packetFrames ?? frame(at: time + duration) - frame(at: time)
    }
}
