// SPDX-License-Identifier: GPL-3.0-or-later

/// Maps packet numbers to PCM frames and back, for a stream whose packets all make the same number of PCM frames.
///
/// A *decoded* frame is counted from packet 0's first; a *trimmed* frame from the first that is kept, so trimmed
/// frame 0 is decoded frame `start`. Where decoding must begin for a packet to come out right, `FrameIndex` says.
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
}
