// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import MPEGAudio
import Media

@testable import CodecTestSupport

extension MPG123Decoder {
    /// Decodes one packet into an array.
    func decode(_ packet: some Collection<UInt8>) throws -> [Float] {
        var pcm = PCMBuffer(format: format, capacity: 1152)
        let frames = try Array(packet).withUnsafeBytes { bytes throws(DecodingError) in
            try decode(bytes, into: &pcm)
        }
        guard frames == pcm.frames else { throw TestFailure("\(frames) frames returned, \(pcm.frames) written") }
        return Array(pcm.samples)
    }

    /// Decodes packets `numbers` of a fixture in order.
    func decode(_ numbers: Range<Int>, of fixture: MP3Fixture) throws -> [Float] {
        try numbers.flatMap { try decode(fixture.bytes[fixture.packets[$0].bytes]) }
    }
}

extension MP3Fixture {
    /// Decodes every packet from the first on, untrimmed.
    func decodeLinearly() throws -> [Float] {
        try MPG123Decoder(format: format).decode(0..<packets.count, of: self)
    }

    /// Returns the samples of `frames` from `all`.
    func samples(_ all: [Float], frames: Range<Int64>) -> ArraySlice<Float> {
        all[Int(frames.lowerBound) * channels..<Int(frames.upperBound) * channels]
    }

    /// Returns the samples of packets `numbers` from `all`.
    func samples(_ all: [Float], packets numbers: Range<Int>) -> ArraySlice<Float> {
        let length = packetFrames * channels
        return all[numbers.lowerBound * length..<numbers.upperBound * length]
    }
}
