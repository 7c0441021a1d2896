// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A packet that is declared shorter than it decodes, and waits for the next one of its track: if none follows, it is
/// the last one of the file, and the track ends inside it. At a border of a joined file, the next one tells how much of
/// it is played.
struct HeldPacket: Sendable {
    private(set) var packet: AudioPacket
    let bytes: [UInt8]
    private(set) var point: ContainerPoint?
    /// Its frames according to its stated duration.
    let frames: Int64

    /// Changes the first frame.
    mutating func move(to frame: Int64) {
        packet.frame = frame
        point?.frame = frame
    }

    /// Changes the frames. Reading cannot resume at a packet inside a border, because the sum of the durations counts.
    mutating func change(to frames: Range<Int64>, isFirst: Bool) {
        move(to: frames.lowerBound)
        packet.frames = frames.count
        if !isFirst { point = nil }
    }
}

/// The end of the last packet of fragments. It is reported before the packet, so that it does not depend on how far
/// another parser has read. Fragments and data of other tracks may follow the packet.
extension MP4Parser {
    /// Takes back the packet that was just emitted, if it belongs to a border or the track may end inside it.
    /// - Returns: true if it is held.
    mutating func holdShortPacket(
        _ sample: MediaSample, isAtBorder: Bool, of samples: FragmentSamples, at place: ContainerPoint?
    ) -> Bool {
        let frames = clock.frame(at: sample.duration)
        guard let packetFrames = clock.packetFrames,
            isAtBorder || samples.isAtLast && (1..<packetFrames).contains(frames),
            case .packet(let packet)? = pending.last
        else { return false }
        pending.removeLast()
        let bytes = window.withBytes(of: payload) { Array($0) }
        held.append(HeldPacket(packet: packet, bytes: bytes, point: place, frames: frames))
        return true
    }

    /// Moves the held packets to the pending events.
    /// - Returns: false if there are none.
    @discardableResult
    mutating func releaseHeldPackets() -> Bool {
        guard !held.isEmpty else { return false }
        pending += held.map { ContainerEvent.packet($0.packet) }
        releasing += held
        held = []
        return true
    }

    /// Releases the held packets as the last ones of the track. A last duration of 0 is an unknown one.
    mutating func endWithHeldPackets() {
        if let end = border?.end ?? heldEnd, let last = held.last, last.frames > 0, track?.end == nil {
            track?.end = end
            if let track { pending.append(.track(track)) }
        }
        endBorder(isJoin: false)
        if let last = held.last?.packet { lastEnd = last.frame.map { $0 + Int64(last.frames) } }
        releaseHeldPackets()
    }

    /// The end of the last held packet, according to its stated duration.
    private var heldEnd: Int64? { held.last.flatMap { last in last.packet.frame.map { $0 + last.frames } } }

    /// Reports bytes that are lost after the packets so far.
    mutating func reportGarbage(_ range: ByteRange) {
        // Without decoding times, no packet after the loss confirms the border.
        endBorder(isJoin: fragmentTimes != nil)
        releaseHeldPackets()
        pending.append(.garbage(range))
    }
}
