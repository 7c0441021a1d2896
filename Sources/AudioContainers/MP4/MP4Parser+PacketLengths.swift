// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The frames of packets of Opus and FLAC, whose lengths differ. The tables state times, which are in milliseconds if a
/// program copied them from Matroska; the packets state their lengths, and follow each other.
extension MP4Parser {
    /// Returns the frames of the packet at `payload`. If the tables state fewer, the next part of a joined file follows
    /// inside it. The stated time of that part is the one of its pre-skip, which overlaps with the end of this packet.
    /// - Parameters:
    ///   - stated: its frames according to the tables; 0 if they are unknown.
    ///   - isLast: true if the track may end inside the packet.
    func packetFrames(stated: Int64, isLast: Bool) -> Int64 {
        let coded = window.withBytes(of: payload) { bytes -> Int? in
            switch track?.codec {
            case .opus: OpusPacketDuration.frames(of: bytes)
            case .flac(let info): FLACFrameHeader.blockSize(of: bytes, in: info)
            case .aac, .vorbis, .pcm, nil: nil
            }
        }
        guard let coded = coded.map(Int64.init) else { return min(stated, mostFrames) }
        guard !isLast, stated > 0, stated < coded - rounding else { return coded }
        return min(coded, stated + preSkip)
    }

    private var preSkip: Int64 {
        if case .opus(let head) = track?.codec { Int64(head.preSkip) } else { 0 }
    }

    /// The most frames of a packet. The tables may state more, but decoders return no more.
    private var mostFrames: Int64 {
        switch track?.codec {
        case .flac(let info): Int64(info.blockSizes.upperBound)
        default: Int64(OpusHead.maximumPacketFrames)
        }
    }

    /// Returns the first frame of a packet. A packet that the tables place near the end of the one before follows it.
    /// - Parameter stated: the frame according to the tables.
    func firstFrame(stated: Int64) -> Int64 {
        guard clock.packetFrames == nil else { return stated }
        guard let lastEnd, abs(stated - lastEnd) <= rounding else { return unrounded(stated) }
        return lastEnd
    }

    /// The most frames by which the times of the tables differ from those of the packets: two milliseconds, because two
    /// times are rounded. AAC is numbered by its packets.
    var rounding: Int64 { clock.packetFrames == nil ? clock.rate / 500 : 0 }

    /// Returns the frame for which a whole number of milliseconds stands, so that a packet after a jump has the same
    /// number as in a linear read. The parts of joined files may begin there, too, but their times are exact.
    private func unrounded(_ frame: Int64) -> Int64 {
        guard let unit = packetUnit, let first = table?.firstDuration ?? firstDuration,
            clock.frame(at: first) % unit != 0, clock.isInMilliseconds(frame)
        else { return frame }
        let nearest = (frame + unit / 2) / unit * unit
        return abs(nearest - frame) <= rounding ? nearest : frame
    }

    /// The number of frames of which each packet begins at a multiple; `nil` if there is none.
    private var packetUnit: Int64? {
        switch track?.codec {
        case .opus: Int64(OpusPacketDuration.shortestFrame)
        case .flac(let info) where info.blockSizes.count == 1: Int64(info.blockSizes.upperBound)
        case .flac, .aac, .vorbis, .pcm, nil: nil
        }
    }
}
