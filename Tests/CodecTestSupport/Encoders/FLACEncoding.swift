// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import CFLAC

/// A stream encoded by libFLAC from integers.
struct FLACEncoding {
    let info: FLACStreamInfo
    let packets: [CodecPacket]
    /// The encoded samples, interleaved, as fractions of full scale.
    let samples: [Float]

    /// - Parameters:
    ///   - bits: bits per sample: 8 to 32.
    ///   - level: the compression level, 0 to 8.
    init(_ programme: TestProgramme, bits: Int, level: Int = 5, blockSize: Int = 1152) throws {
        let fullScale = Double(1 << (bits - 1))
        let integers = programme.samples.map { Int32(Double($0) * fullScale * 0.9) }
        samples = integers.map { Float(Double($0) / fullScale) }
        let output = FLACOutput()
        guard let encoder = FLAC__stream_encoder_new() else { throw TestFailure("libFLAC") }
        defer { FLAC__stream_encoder_delete(encoder) }
        FLAC__stream_encoder_set_channels(encoder, UInt32(programme.channels))
        FLAC__stream_encoder_set_sample_rate(encoder, UInt32(programme.sampleRate))
        FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
        FLAC__stream_encoder_set_compression_level(encoder, UInt32(level))
        FLAC__stream_encoder_set_blocksize(encoder, UInt32(blockSize))
        let status = FLAC__stream_encoder_init_stream(
            encoder,
            { _, buffer, count, frames, _, client in
                guard let buffer, let client else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
                Unmanaged<FLACOutput>.fromOpaque(client).takeUnretainedValue()
                    .put(Array(UnsafeBufferPointer(start: buffer, count: count)), Int(frames))
                return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
            }, nil, nil, nil, Unmanaged.passUnretained(output).toOpaque())
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK,
            FLAC__stream_encoder_process_interleaved(encoder, integers, UInt32(programme.frames)) != 0,
            FLAC__stream_encoder_finish(encoder) != 0
        else { throw TestFailure("libFLAC status \(status)") }
        packets = output.packets
        // The header is "fLaC" and the STREAMINFO block, whose own header has four bytes.
        info = try FLACStreamInfo(output.header[8..<8 + FLACStreamInfo.length])
    }
}

private final class FLACOutput {
    var header: [UInt8] = []
    var packets: [CodecPacket] = []

    func put(_ bytes: [UInt8], _ frames: Int) {
        if frames == 0 { header += bytes } else { packets.append(CodecPacket(bytes: bytes, frames: frames)) }
    }
}
