// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import COpus
import EarshotTestSupport
import Media

/// Two versions of an episode in a container, of about a megabyte each: the second one has six seconds of another
/// sound before the packets of the first one.
struct EpisodeVersions: Sendable {
    let first: TrackFile
    let second: TrackFile

    private static let (seconds, insertion) = (32, 6)
    /// The bytes of each packet of AAC and of Opus, which padding fills.
    private static let (aacBytes, opusBytes) = (590, 600)
    /// The frames before and after the sound.
    private static let (delay, padding) = (1024, 300)
    private static let (preSkip, endTrim) = (312, 500)

    /// AAC-LC in MP4, with the tables before the sound.
    static func aac() throws -> EpisodeVersions {
        let stream = try AACPackets(core: 48000, channels: 1, count: 48 * seconds, ballast: aacBytes, seed: 5)
        let front = try AACPackets(core: 48000, channels: 1, count: 48 * insertion, ballast: aacBytes, seed: 6)
        return EpisodeVersions(
            first: try movie(stream, stream.packets), second: try movie(stream, front.packets + stream.packets))
    }

    /// The first version with the tables behind the sound.
    static func aacLast() throws -> TrackFile {
        let stream = try AACPackets(core: 48000, channels: 1, count: 48 * seconds, ballast: aacBytes, seed: 5)
        return try movie(stream, stream.packets, isMovieFirst: false)
    }

    private static func movie(
        _ stream: AACPackets, _ packets: [CodecPacket], isMovieFirst: Bool = true
    ) throws -> TrackFile {
        var builder = MP4Builder(packets.map(\.bytes))
        builder.isMovieFirst = isMovieFirst
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 1, .none)))
        (builder.timescale, builder.movieTimescale, builder.chunkLengths) = (48000, 48000, [47])
        let end = packets.count * 1024 - padding
        builder.edits = [(end - delay, delay)]
        let part = try TrackFile.Part(
            .aac(stream.config.withoutSBR), stream.config.format, packets, start: delay, end: end)
        return TrackFile(.mp4, builder.build().bytes, part)
    }

    /// AAC-LC in ADTS.
    static func adts() throws -> EpisodeVersions {
        let stream = try AACPackets(core: 48000, channels: 1, count: 48 * seconds, seed: 5)
        let front = try AACPackets(core: 48000, channels: 1, count: 48 * insertion, seed: 6)
        func file(_ packets: [CodecPacket]) throws -> TrackFile {
            var builder = ADTSBuilder()
            (builder.format.rate, builder.format.channels) = (3, 1)
            for packet in packets { builder.addFrame(packet.bytes) }
            let part = try TrackFile.Part(.aac(stream.config.withoutSBR), stream.config.format, packets)
            return TrackFile(.adts, builder.bytes, part)
        }
        return EpisodeVersions(first: try file(stream.packets), second: try file(front.packets + stream.packets))
    }

    /// FLAC, whose frames state their number.
    static func flac() throws -> EpisodeVersions {
        let programme = TestProgramme(sampleRate: 48000, channels: 1, seconds: Double(seconds))
        // The blocks of both versions begin with the same samples.
        let front = TestProgramme(sampleRate: 48000, channels: 1, seconds: Double(insertion), seed: 2)
            .samples.prefix(70 * 4096)
        return EpisodeVersions(first: try flac(programme.samples), second: try flac(front + programme.samples))
    }

    /// Returns a FLAC file of one channel.
    static func flac(_ samples: [Float], sampleRate: Int = 48000, bits: Int = 12) throws -> TrackFile {
        let sound = TestProgramme(sampleRate: sampleRate, channels: 1, samples: samples)
        let stream = try FLACEncoding(sound, bits: bits, blockSize: 4096)
        let bytes = FLACWriter().head(stream.info.bytes) + stream.packets.flatMap(\.bytes)
        return TrackFile(.flac, bytes, TrackFile.Part(format: stream.info.format, samples: stream.samples))
    }

    /// Vorbis in Ogg; the first version lacks the beginning of the second one.
    static func vorbis() throws -> EpisodeVersions {
        let programme = TestProgramme(sampleRate: 48000, channels: 1, seconds: Double(seconds))
        let stream = try VorbisEncoding(programme)
        let codec = AudioCodec.vorbis(identification: stream.headers[0], setup: stream.headers[2])
        func file(_ packets: [CodecPacket]) throws -> TrackFile {
            let part = try TrackFile.Part(codec, AudioFormat(sampleRate: 48000, channels: 1), packets)
            return TrackFile(.ogg, OggWriter.stream(stream.headers, packets), part)
        }
        var rest = Array(stream.packets.dropFirst(200))
        rest[0] = CodecPacket(bytes: rest[0].bytes, frames: 0)
        return EpisodeVersions(first: try file(rest), second: try file(stream.packets))
    }

    /// Opus in Ogg.
    static func opus() throws -> EpisodeVersions {
        let stream = try OpusEncoding(TestProgramme(sampleRate: 48000, channels: 1, seconds: Double(seconds)))
        let sound = TestProgramme(sampleRate: 48000, channels: 1, seconds: Double(insertion), seed: 2)
        let (packets, front) = (try padded(stream.packets), try padded(OpusEncoding(sound).packets))
        return EpisodeVersions(
            first: try pages(stream.head, packets), second: try pages(stream.head, front + packets))
    }

    private static func pages(_ head: OpusHead, _ packets: [CodecPacket]) throws -> TrackFile {
        let headers = [
            OpusEncoding.head(channels: 1, gain: 0, family: 0, mapping: []),
            Array("OpusTags".utf8) + CommentBlock.bytes([Array("TITLE=A title".utf8)]),
        ]
        let frames = packets.reduce(0) { $0 + $1.frames }
        let part = try TrackFile.Part(.opus(head), head.format, packets, start: preSkip, end: frames - endTrim)
        return TrackFile(.ogg, OggWriter.stream(headers, packets, endTrim: endTrim), part, accuracy: .samples(1e-5))
    }

    /// Returns the packets with the padding of RFC 6716 section 3.2.5.
    private static func padded(_ packets: [CodecPacket]) throws -> [CodecPacket] {
        try packets.map { packet in
            var bytes = packet.bytes + [UInt8](repeating: 0, count: max(0, opusBytes - packet.bytes.count))
            let code = opus_packet_pad(&bytes, Int32(packet.bytes.count), Int32(bytes.count))
            guard code == OPUS_OK else { throw TestFailure("libopus error \(code)") }
            return CodecPacket(bytes: bytes, frames: packet.frames)
        }
    }
}

extension TrackFile.Part {
    /// The samples as 32-bit floats, little-endian, as `--output raw:` writes them.
    var bytes: [UInt8] { samples.withUnsafeBytes { Array($0) } }
}
