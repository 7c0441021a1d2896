// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import MPEGAudio

/// Decodes MPEG audio packets of one format with libmpg123, one packet in, one packet's PCM out.
///
/// Positions are counted in packets, so the count must never slip: a packet out of which libmpg123 makes nothing
/// (damaged, or its bit reservoir is missing) becomes as much silence as it would have made sound. The decoder is
/// silent about that: sound that is wrong but looks right (a packet decoded without the ones before it) cannot be told
/// by libmpg123's result either, so what precedes a seek's target is thrown away by count.
///
/// Each packet turns the synthesis filter by its own number of places, with sound or without (see `BitReservoir`), so
/// the filter's phase follows from the number of packets since the start. Only packets that libmpg123 gives up
/// otherwise (damaged, or behind a cut, where the reservoir is of another stream) break that, by the last bit of what
/// follows.
public final class MPG123Decoder: AudioDecoder {
    public let format: AudioFormat
    private let handle: MPG123Handle
    /// What the handle was told of packets whose header does not say their length.
    private var freeFormatSize: Int?
    private var reservoir = BitReservoir()

    /// - Throws: `DecodingError.cannotStart` for a rate or channel count MPEG audio does not have.
    public init(format: AudioFormat) throws(DecodingError) {
        self.format = format
        handle = try MPG123Handle(format: format)
    }

    /// Decodes one whole packet, header included.
    /// - Parameter pcm: of `format`, with room for the packet's PCM frames: at most 1,152.
    /// - Returns: the PCM frames the packet's header stands for, whatever is in the packet.
    /// - Throws: `DecodingError.badPacket` when there is no MPEG header in front, or one of another rate or channel
    ///   count; nothing is put out then. `cannotStart` when libmpg123 failed and could not be set up anew.
    public func decode(
        _ packet: UnsafeRawBufferPointer, into pcm: inout PCMBuffer
    ) throws(DecodingError) -> Int {
        precondition(pcm.format == format, "a buffer of another format")
        let header = try header(of: packet)
        let frames = header.samplesPerFrame
        precondition(pcm.capacity - pcm.frames >= frames, "no room for a packet's frames")
        let room = UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: pcm.room[..<(frames * format.channels)]))
        if header.bitrate == nil { try setFreeFormat(header, length: packet.count) }
        let silence = reservoir.silence(for: packet, header)
        let made = silence?.withUnsafeBytes { handle.decode($0, into: room) } ?? handle.decode(packet, into: room)
        if made != room.count { room.initializeMemory(as: UInt8.self, repeating: 0) }
        pcm.commit(frames: frames)
        // What is left over would come out with the next packet and shift everything after it.
        if made != room.count || handle.hasInput { try reset() }
        return frames
    }

    public func reset() throws(DecodingError) {
        reservoir = BitReservoir()
        try handle.reopen()
    }

    private func setFreeFormat(_ header: MPEGFrameHeader, length: Int) throws(DecodingError) {
        let padding = header.isPadded ? header.layer == .i ? 4 : 1 : 0
        let size = length - 4 - padding
        guard size != freeFormatSize else { return }
        freeFormatSize = size
        // libmpg123 takes the size in only as a stream begins.
        handle.setFreeFormatSize(size)
        try reset()
    }

    private func header(of packet: UnsafeRawBufferPointer) throws(DecodingError) -> MPEGFrameHeader {
        guard packet.count >= 4,
            let header = MPEGFrameHeader(packet.loadUnaligned(as: UInt32.self).bigEndian)
        else { throw .badPacket(reason: "no MPEG audio header") }
        guard header.sampleRate == format.sampleRate, header.channels == format.channels else {
            throw .badPacket(reason: "\(header.sampleRate) Hz × \(header.channels) in a stream of another format")
        }
        return header
    }
}

extension MPG123Handle {
    /// Decodes one packet.
    /// - Parameter room: exactly as long as the packet's PCM.
    /// - Returns: the bytes of PCM the packet made, of which no more than fit were stored.
    fileprivate func decode(_ packet: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard feed(packet) == .MPG123_OK else { return 0 }
        var made = 0
        // Each round but the first, which may only tell the format, uses up a header's four bytes at least.
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
