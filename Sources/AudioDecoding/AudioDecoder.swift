// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A codec that decodes packets to PCM. Confined to one thread.
///
/// Every packet yields exactly the number of PCM frames that its container declares, so that positions follow from
/// packets alone: a packet that cannot be decoded becomes silence of that length. The same is true of packets that the
/// codec decodes only together with the previous one, directly after `init` or `reset`.
public protocol AudioDecoder: AnyObject {
    /// The format of the decoded PCM; never changes.
    var format: AudioFormat { get }

    /// The most PCM frames that a packet of the stream decodes to: the space that `decode` needs in the buffer.
    var maximumPacketFrames: Int { get }

    /// True if the codec rejected the last packet, so that some of its frames are silence.
    var isPacketDamaged: Bool { get }

    /// Decodes one whole packet.
    /// - Parameters:
    ///   - frames: the number of PCM frames to append. A decoder that returns more or fewer is cut or padded with
    ///     silence, because containers may shorten the last packet.
    ///   - pcm: a buffer of `format` with space for `maximumPacketFrames`.
    /// - Throws: `DecodingError.badPacket` if `frames` exceeds `maximumPacketFrames`; `formatChanged`. `pcm` is then
    ///   unchanged. `cannotStart` if the library failed and could not be set up again.
    func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError)

    /// Discards all previous input, for example after a seek. The next output is that of a new decoder.
    func reset() throws(DecodingError)
}

extension AudioDecoder {
    public var isPacketDamaged: Bool { false }
}

/// An error of a decoder or a resampler.
public enum DecodingError: Error, Sendable, Equatable {
    /// The library could not be set up: the failed operation and the library's error message.
    case cannotStart(operation: String, reason: String)
    /// The codec rejects the packet.
    case badPacket(reason: String)
    /// The packets now have another format; a new decoder can decode this packet and the following ones.
    case formatChanged(AudioFormat)
    /// The resampler cannot convert between these rates.
    case unsupportedRate(from: Int, to: Int)
}

extension DecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotStart(let operation, let reason): "\(operation): \(reason)"
        case .badPacket(let reason): reason
        case .formatChanged(let format): "it changes to \(format.sampleRate) Hz with \(format.channels) channels"
        case .unsupportedRate(let from, let to): "the rates \(from) Hz and \(to) Hz are too different"
        }
    }
}
