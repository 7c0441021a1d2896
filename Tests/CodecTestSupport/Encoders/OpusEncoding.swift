// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import COpus

/// A stream encoded by libopus, in the channel order of Vorbis.
struct OpusEncoding {
    let head: OpusHead
    let packets: [CodecPacket]

    /// - Parameters:
    ///   - frames: PCM frames per packet: 120 to 2,880.
    ///   - application: `OPUS_APPLICATION_VOIP` and the like.
    ///   - limit: the most bytes of a packet, which limits the bit rate.
    ///   - family: the mapping family, 0 or 1.
    ///   - gain: the header's output gain in 1/256 dB.
    init(
        _ programme: TestProgramme, frames: Int = 960, application: Int32 = OPUS_APPLICATION_AUDIO, limit: Int = 400,
        family: Int = 0, gain: Int = 0
    ) throws {
        let channels = programme.channels
        var (streams, coupled, code) = (Int32(0), Int32(0), Int32(0))
        var mapping = [UInt8](repeating: 0, count: channels)
        guard
            let encoder = opus_multistream_surround_encoder_create(
                48000, Int32(channels), Int32(family), &streams, &coupled, &mapping, application, &code)
        else { throw TestFailure("libopus error \(code)") }
        defer { opus_multistream_encoder_destroy(encoder) }
        let samples = programme.samples
        packets = try (0..<programme.frames / frames).map { number in
            var bytes = [UInt8](repeating: 0, count: limit)
            let length = samples.withUnsafeBufferPointer { samples in
                opus_multistream_encode_float(
                    encoder, samples.baseAddress.map { $0 + number * frames * channels }!, Int32(frames), &bytes,
                    Int32(limit))
            }
            guard length > 0 else { throw TestFailure("libopus error \(length)") }
            return CodecPacket(bytes: Array(bytes[..<Int(length)]), frames: frames)
        }
        head = try OpusHead(
            Self.head(
                channels: channels, gain: gain, family: family,
                mapping: [UInt8(streams), UInt8(coupled)] + mapping))
    }

    /// Returns an identification header with a pre-skip of 312 frames.
    static func head(channels: Int, gain: Int, family: Int, mapping: [UInt8]) -> [UInt8] {
        let level = UInt16(bitPattern: Int16(gain))
        return Array("OpusHead".utf8) + [1, UInt8(channels), 56, 1, 0x80, 0xBB, 0, 0]
            + [UInt8(truncatingIfNeeded: level), UInt8(level >> 8), UInt8(family)] + (family == 0 ? [] : mapping)
    }
}
