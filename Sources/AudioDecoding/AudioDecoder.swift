// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A codec that decodes packets to PCM. Confined to one thread.
public protocol AudioDecoder: AnyObject {
    /// The format of the decoded PCM; never changes.
    var format: AudioFormat { get }

    /// Decodes one whole packet.
    /// - Parameter pcm: a buffer of `format`; the packet's frames are appended.
    /// - Returns: the number of PCM frames in the packet; always the same for packets of one stream.
    /// - Throws: `DecodingError`; the decoder can still decode the next packet.
    func decode(_ packet: UnsafeRawBufferPointer, into pcm: inout PCMBuffer) throws(DecodingError) -> Int

    /// Discards all previous input, for example after a seek.
    func reset() throws(DecodingError)
}

/// An error of a decoder or a resampler.
public enum DecodingError: Error, Sendable, Equatable {
    /// The library could not be set up: the failed operation and the library's error message.
    case cannotStart(operation: String, reason: String)
    /// The codec rejects the packet.
    case badPacket(reason: String)
    /// The resampler cannot convert between these rates.
    case unsupportedRate(from: Int, to: Int)
}
