// SPDX-License-Identifier: GPL-3.0-or-later
import CVorbisEncoder

/// A stream encoded by libvorbisenc.
struct VorbisEncoding {
    /// The three header packets.
    let headers: [[UInt8]]
    let packets: [CodecPacket]

    /// - Parameter quality: −0.1 to 1.
    init(_ programme: TestProgramme, quality: Float = 0.4) throws {
        let session = VorbisSession()
        guard
            vorbis_encode_init_vbr(
                session.info, Int(programme.channels), Int(programme.sampleRate), quality) == 0
        else { throw TestFailure("libvorbisenc rejects the format") }
        headers = session.start()
        var (packets, end) = ([CodecPacket](), Int64(0))
        for start in Array(stride(from: 0, to: programme.frames, by: 1024)) + [programme.frames] {
            session.write(programme, start, min(1024, programme.frames - start))
            for (bytes, position) in session.packets() {
                // The position of a packet is the number of the first frame after it; the last is cut to the
                // programme.
                packets.append(CodecPacket(bytes: bytes, frames: Int(max(position, end) - end)))
                end = max(position, end)
            }
        }
        self.packets = packets
    }
}

/// The structures of a libvorbis encoder.
private final class VorbisSession {
    let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
    private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
    private let state = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)

    init() {
        state.initialize(to: vorbis_dsp_state())
        block.initialize(to: vorbis_block())
        vorbis_info_init(info)
        vorbis_comment_init(comment)
    }

    deinit {
        vorbis_block_clear(block)
        vorbis_dsp_clear(state)
        vorbis_comment_clear(comment)
        vorbis_info_clear(info)
        info.deallocate()
        comment.deallocate()
        state.deallocate()
        block.deallocate()
    }

    func start() -> [[UInt8]] {
        vorbis_analysis_init(state, info)
        vorbis_block_init(state, block)
        var headers = (ogg_packet(), ogg_packet(), ogg_packet())
        vorbis_analysis_headerout(state, comment, &headers.0, &headers.1, &headers.2)
        return [headers.0, headers.1, headers.2].map(Self.bytes)
    }

    /// Passes PCM to the encoder; 0 frames end the stream.
    func write(_ programme: TestProgramme, _ start: Int, _ count: Int) {
        if count > 0, let planes = vorbis_analysis_buffer(state, Int32(count)) {
            for channel in 0..<programme.channels {
                for frame in 0..<count {
                    planes[channel]?[frame] = programme.samples[(start + frame) * programme.channels + channel]
                }
            }
        }
        vorbis_analysis_wrote(state, Int32(count))
    }

    func packets() -> [(bytes: [UInt8], position: Int64)] {
        var packets: [(bytes: [UInt8], position: Int64)] = []
        while vorbis_analysis_blockout(state, block) == 1 {
            vorbis_analysis(block, nil)
            vorbis_bitrate_addblock(block)
            var packet = ogg_packet()
            while vorbis_bitrate_flushpacket(state, &packet) != 0 {
                packets.append((Self.bytes(packet), packet.granulepos))
            }
        }
        return packets
    }

    private static func bytes(_ packet: ogg_packet) -> [UInt8] {
        Array(UnsafeBufferPointer(start: packet.packet, count: packet.bytes))
    }
}

extension VorbisEncoding {
    /// Returns an Ogg file as FFmpeg cuts it from WebM, which lacks all pages after the start of the cut.
    static func cutBeforeStart() throws -> [UInt8] {
        let stream = try VorbisEncoding(TestProgramme(sampleRate: 48000, channels: 1, seconds: 1))
        var writer = OggWriter(serial: 1)
        for header in stream.headers {
            writer.add(header, granule: 0)
            writer.flush()
        }
        // The positions before the start are negative.
        for packet in stream.packets { writer.add(packet.bytes, granule: -4800) }
        writer.flush()
        return writer.bytes
    }
}
