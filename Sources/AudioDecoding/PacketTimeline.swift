// SPDX-License-Identifier: GPL-3.0-or-later

/// Maps packet numbers to PCM frames and back, for a stream whose packets all make the same number of PCM frames.
///
/// A *decoded* frame is counted from packet 0's first; a *trimmed* frame from the first that is kept, so trimmed
/// frame 0 is decoded frame `start`.
public struct PacketTimeline: Sendable, Equatable {
    /// PCM frames of a packet, 1 or more.
    public let packetFrames: Int64
    /// The first decoded frame to keep.
    public let start: Int64

    /// - Parameter start: encoder delay, the decoder's own 529 frames included.
    public init(packetFrames: Int, start: Int64) {
        self.packetFrames = Int64(max(1, packetFrames))
        self.start = min(max(0, start), .max / 2)
    }

    /// The packet that makes trimmed frame `frame`; frames before 0 count as 0.
    public func packet(holding frame: Int64) -> Int64 {
        (min(max(0, frame), .max / 2) + start) / packetFrames
    }

    /// The decoded frame with which packet `number` begins.
    public func decodedFrame(ofPacket number: Int64) -> Int64 {
        let limit = Int64.max / 2
        let (frame, overflow) = number.multipliedReportingOverflow(by: packetFrames)
        return overflow ? (number < 0 ? -limit : limit) : min(max(-limit, frame), limit)
    }

    /// The trimmed frame with which packet `number` begins; negative inside the encoder delay.
    public func trimmedFrame(ofPacket number: Int64) -> Int64 {
        decodedFrame(ofPacket: number) - start
    }

    /// The packet to begin decoding at so that the PCM is bit for bit a linear decode's, when `needed` is the last one
    /// that supplies all the target takes from packets before it (overlap and bit reservoir).
    ///
    /// The synthesis filter's ring of 16 slots turns by one for each of the packet's 32-frame slots; its position
    /// decides the order of a sum, hence its last bit. From a packet at which the ring stands as it would in a linear
    /// decode, every 4th of 1,152 frames and every 8th of 576, that bit is the same too.
    public func firstPacketToDecode(needing needed: Int64) -> Int64 {
        let slots = max(1, packetFrames / 32)
        let period = 16 / Int64(1 << min(4, slots.trailingZeroBitCount))
        let packet = max(0, needed)
        return packet - packet % period
    }
}
