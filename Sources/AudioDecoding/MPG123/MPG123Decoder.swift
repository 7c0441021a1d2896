// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
public import Media

/// A decoder of MPEG audio packets of one format with libmpg123; each packet yields the PCM of one packet.
///
/// Positions are counted in packets, so the count must stay exact: if libmpg123 cannot decode a packet (damaged, or
/// the bit reservoir is missing), the decoder emits silence of the same length and reports no error. The result of
/// libmpg123 also does not show PCM that is wrong but looks correct (a packet decoded without its predecessors), so
/// the caller discards the packets before a seek's target by count.
///
/// Each packet advances the phase of the synthesis filter by a fixed step, whether it is decoded or silenced (see
/// `BitReservoir`), so the phase follows from the number of packets since the start. The only exceptions are packets
/// that libmpg123 rejects for other reasons (damaged, or after a cut, where the reservoir belongs to another stream):
/// the PCM after them differs in the last bit.
public final class MPG123Decoder: AudioDecoder {
    public let format: AudioFormat
    /// Layer II, and layer III of MPEG-1.
    public let maximumPacketFrames = 1152
    private let handle: MPG123Handle
    /// The size last passed to the handle for packets whose header does not contain their length.
    private var freeFormatSize: Int?
    private var reservoir = BitReservoir()

    /// - Throws: `DecodingError.cannotStart` for a rate or channel count that MPEG audio does not have.
    public init(format: AudioFormat) throws(DecodingError) {
        self.format = format
        handle = try MPG123Handle(format: format)
    }

    /// Decodes one whole packet, including its header.
    /// - Parameter pcm: a buffer of `format` with space for the PCM frames of the packet: at most 1,152.
    /// - Returns: the number of PCM frames that the packet's header declares, for any content of the packet.
    /// - Throws: `DecodingError.badPacket` if the packet does not start with an MPEG header, or if its header has
    ///   another rate or channel count; `pcm` is then unchanged. `cannotStart` if libmpg123 failed and could not be
    ///   set up again.
    public func decode(
        _ packet: UnsafeRawBufferPointer, into pcm: inout PCMBuffer
    ) throws(DecodingError) -> Int {
        precondition(pcm.format == format, "a buffer of another format")
        let header = try header(of: packet)
        let frames = header.samplesPerFrame
        precondition(pcm.capacity - pcm.frames >= frames, "no space for a packet's frames")
        let room = UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: pcm.freeSpace[..<(frames * format.channels)]))
        if header.bitrate == nil { try setFreeFormat(header, length: packet.count) }
        let silence = reservoir.silence(for: packet, header)
        let made = silence?.withUnsafeBytes { handle.decode($0, into: room) } ?? handle.decode(packet, into: room)
        if made != room.count { room.initializeMemory(as: UInt8.self, repeating: 0) }
        pcm.commit(frames: frames)
        // A remainder would come out with the next packet and shift all later PCM.
        if made != room.count || handle.hasInput { try reset() }
        return frames
    }

    /// - Throws: also `badPacket` if the header declares another number of PCM frames than `frames`.
    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        guard try header(of: packet).samplesPerFrame == frames else {
            throw .badPacket(reason: "the header does not declare \(frames) PCM frames")
        }
        _ = try decode(packet, into: &pcm)
    }

    public func reset() throws(DecodingError) {
        reservoir = BitReservoir()
        try handle.reopen()
    }

    private func setFreeFormat(_ header: MPEGFrameHeader, length: Int) throws(DecodingError) {
        let size = length - 4 - header.paddingLength
        guard size != freeFormatSize else { return }
        freeFormatSize = size
        // libmpg123 applies the size only when a stream begins.
        handle.setFreeFormatSize(size)
        try reset()
    }

    private func header(of packet: UnsafeRawBufferPointer) throws(DecodingError) -> MPEGFrameHeader {
        guard packet.count >= 4,
            let header = MPEGFrameHeader(packet.loadUnaligned(as: UInt32.self).bigEndian)
        else { throw .badPacket(reason: "no MPEG audio header") }
        guard header.sampleRate == format.sampleRate, header.channels == format.channels else {
            throw .badPacket(reason: "\(header.sampleRate) Hz × \(header.channels) differs from the stream's format")
        }
        return header
    }
}

extension MPG123Handle {
    /// Decodes one packet.
    /// - Parameter room: exactly as long as the packet's PCM.
    /// - Returns: the number of decoded PCM bytes; no more than `room.count` of them are stored.
    fileprivate func decode(_ packet: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard feed(packet) == .MPG123_OK else { return 0 }
        var made = 0
        // The first iteration may only report the format; each later one consumes at least the four bytes of a
        // header.
        for _ in 0...packet.count {
            let (code, audio) = decodeFrame()
            let fitting = min(audio.count, room.count - made)
            UnsafeMutableRawBufferPointer(rebasing: room[made...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: audio[..<fitting]))
            guard audio.count == fitting else { return made + audio.count }
            made += audio.count
            guard code == .MPG123_OK && made < room.count || code == .MPG123_NEW_FORMAT else { break }
        }
        return made
    }
}
