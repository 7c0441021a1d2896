// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers

/// Packets that are read before the bytes that precede them have arrived, of a container whose packets do not state
/// their frames: the frame of the first one can only be estimated.
///
/// The estimate is kept while the packets are played, so that the sound never jumps. The correction is known when the
/// index reaches the first packet.
struct EstimatedPackets {
    /// The frame from which on the packets are wanted.
    private let wanted: Int64
    /// The offset and the estimated time of the first packet; `nil` until it is found.
    private(set) var first: (offset: Int64, time: Duration)?
    /// The estimated frame of the next packet.
    private var next: Int64?
    /// The difference to add to the estimated times to make them exact; `nil` while unknown.
    private(set) var correction: Duration?

    init(from wanted: Int64) { self.wanted = max(0, wanted) }

    /// Returns the next packet with its estimated frame.
    mutating func number(_ packet: AudioPacket, in place: TrackSegment) -> AudioPacket {
        let frame = next ?? wanted - wanted % Int64(max(1, packet.frames))
        first = first ?? (packet.offset, place.time(of: frame))
        next = frame + Int64(packet.frames)
        return AudioPacket(frame: frame, frames: packet.frames, offset: packet.offset, length: packet.length)
    }

    /// Computes the correction if the index has reached the first packet.
    /// - Parameters:
    ///   - offset: the offset of the packet just indexed.
    ///   - time: its exact time.
    mutating func compare(offset: Int64, time: Duration) {
        guard correction == nil, let first, offset >= first.offset else { return }
        correction = time - first.time
    }
}

extension ContainerKind {
    /// True if each packet or page states its number, or a table does.
    var numbersPackets: Bool { self != .adts }
}
