// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import AudioContainers
public import Media

/// A decoder of uncompressed and companded PCM. Conversions are exact, except from types with more than 24 significant
/// bits, which are rounded to the nearest Float32. Samples that are NaN or infinite become silence.
public final class PCMDecoder: AudioDecoder {
    public let format: AudioFormat
    public let maximumPacketFrames = PCMDecoder.packetFrames

    /// The most PCM frames that a container may put in a packet.
    public static let packetFrames = 4096

    private let encoding: PCMEncoding
    private let converter: SampleConverter
    /// The samples of a packet in a type that `SampleConverter` reads, aligned.
    private let samples: AudioBufferList

    /// - Parameter format: the output: interleaved Float32, with the channels of the file.
    /// - Throws: `DecodingError.cannotStart` if the format has no channels, or more than 256.
    public init(encoding: PCMEncoding, format: AudioFormat) throws(DecodingError) {
        self.encoding = encoding
        self.format = format
        let stored = AudioFormat(
            sampleRate: format.sampleRate, channels: format.channels, sampleType: encoding.widened.type,
            byteOrder: encoding.widened.byteOrder, layout: format.layout)
        do {
            converter = try SampleConverter(from: stored, to: format)
        } catch {
            throw .cannotStart(operation: "SampleConverter", reason: "\(error)")
        }
        samples = AudioBufferList(format: stored, frameCapacity: Self.packetFrames)
    }

    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        try check(frames, pcm)
        let decoded = min(frames, packet.count / (encoding.bytesPerSample * format.channels))
        if decoded > 0, let start = pcm.freeSpace.baseAddress {
            encoding.widen(packet, count: decoded * format.channels, to: samples.slice.plane(0))
            let target = AudioBufferSlice(start, frames: decoded, format: format)
            converter.convert(samples.slice.dropFirst(0, count: decoded), to: target)
            VectorOperations.clearNonFinite(start, count: decoded * format.channels)
        }
        pcm.commit(frames: frames, decoded: decoded)
    }

    public func reset() {}
}
