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

    /// The duration of a packet in units of the timescale, if it is fixed and a whole number.
    var packetDuration: Int64? {
        guard let packetFrames else { return nil }
        let (duration, rest) = (packetFrames * timescale).quotientAndRemainder(dividingBy: rate)
        return rest == 0 && duration > 0 ? duration : nil
    }

    /// Returns the frame at a media time, rounded to the nearest.
    func frame(at time: Int64) -> Int64 { time.scaled(by: rate, over: timescale) }

    /// Returns the media time of a frame, rounded to the nearest.
    func time(ofFrame frame: Int64) -> Int64 { frame.scaled(by: timescale, over: rate) }

    /// Returns the first frame of a packet that begins at a media time.
    func packetFrame(at time: Int64) -> Int64 { packetFrame(near: frame(at: time)) }

    /// Returns the first frame of a packet that is stated to begin with a frame. With a fixed packet length, it is the
    /// nearest multiple of that length: writers and timescales such as 1000 or 90000 round. The exact times after a
    /// border of a joined file lie farther from one.
    func packetFrame(near frame: Int64) -> Int64 {
        guard let packetFrames else { return frame }
        let nearest = (frame + packetFrames / 2) / packetFrames * packetFrames
        return packetDuration == nil || abs(frame - nearest) < packetFrames / Self.roundingShare ? nearest : frame
    }

    /// The share of a packet that writers round by less: more than a millisecond at 48 kHz.
    private static let roundingShare: Int64 = 16

    /// Returns true if a frame may stand for a whole number of milliseconds.
    func isInMilliseconds(_ frame: Int64) -> Bool {
        frame.scaled(by: 1000, over: rate).scaled(by: rate, over: 1000) == frame
    }

    /// Returns the frames of a packet.
    func frames(from time: Int64, duration: Int64) -> Int64 {
        packetFrames ?? frame(at: time + duration) - frame(at: time)
    }
}
