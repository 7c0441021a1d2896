// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioCodec {
    /// Returns the part of a packet that does not depend on its place in the stream. A frame of FLAC states its number
    /// in its header, which its last two bytes check too (RFC 9639 sections 9.1.5 and 9.3).
    public func comparedBytes(of packet: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard case .flac = self, case .found(let header) = Self.flacHeader(packet), packet.count >= header.length + 2
        else { return packet }
        return UnsafeRawBufferPointer(rebasing: packet[header.length..<packet.count - 2])
    }

    private static func flacHeader(_ packet: UnsafeRawBufferPointer) -> Lookup<FLACFrameHeader> {
        FLACFrameHeader.parse(Array(packet.prefix(FLACFrameHeader.longest))[...], isWhole: true)
    }
}
