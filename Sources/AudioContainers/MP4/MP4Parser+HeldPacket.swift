// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A packet that is declared shorter than it decodes, and waits for the next one of its track: if none follows, it is
/// the last one of the file, and the track ends inside it.
struct HeldPacket: Sendable {
    let packet: AudioPacket
    let bytes: [UInt8]
    let point: ContainerPoint?
    /// Its frames according to its stated duration.
    let frames: Int64
}

/// The end of the last packet of fragments. It is reported before the packet, so that it does not depend on how far
/// another parser has read. Fragments and data of other tracks may follow the packet.
extension MP4Parser {
    /// Takes back the packet that was just emitted, if the track may end inside it.
    /// - Returns: true if it is held.
    mutating func holdShortPacket(
        _ sample: MediaSample, of samples: FragmentSamples, at place: ContainerPoint?
    ) -> Bool {
        let frames = clock.frame(at: sample.duration)
        guard let packetFrames = clock.packetFrames, (1..<packetFrames).contains(frames),
            samples.isAtLast, case .packet(let packet)? = pending.last
        else { return false }
        pending.removeLast()
        let bytes = window.withBytes(of: payload) { Array($0) }
        held = HeldPacket(packet: packet, bytes: bytes, point: place, frames: frames)
        return true
    }

    /// Returns the held packet.
    /// - Returns: false if there is none.
    @discardableResult
    mutating func releaseHeldPacket() -> Bool {
        guard let packet = held.take() else { return false }
        pending.append(.packet(packet.packet))
        (released, point) = (packet, packet.point)
        return true
    }

    /// Returns the held packet as the last one of the track.
    mutating func endWithHeldPacket() {
        if let held, let frame = held.packet.frame, track?.end == nil {
            track?.end = frame + held.frames
            if let track { pending.append(.track(track)) }
        }
        releaseHeldPacket()
    }

    /// Reports bytes that are lost after the packets so far.
    mutating func reportGarbage(_ range: ByteRange) {
        releaseHeldPacket()
        pending.append(.garbage(range))
    }
}
