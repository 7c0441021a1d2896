// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioContainers
import COpus
public import Media

/// A decoder of Opus packets with libopus, at 48 kHz, with the header's output gain and without clipping.
///
/// Damaged and missing packets become silence, not the library's concealment, and leave the state unchanged. After a
/// seek the output converges to that of a linear decode; see `OpusHead.preRoll`.
public final class OpusDecoder: AudioDecoder {
    public let format: AudioFormat
    public let maximumPacketFrames = OpusHead.maximumPacketFrames
    public private(set) var isPacketDamaged = false
    private let handle: OpusHandle

    /// - Throws: `DecodingError.cannotStart`.
    public init(head: OpusHead) throws(DecodingError) {
        format = head.format
        handle = try OpusHandle(head)
    }

    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        try check(frames, pcm)
        let decoded = handle.decode(packet, into: pcm.freeSpace, capacity: maximumPacketFrames)
        isPacketDamaged = decoded == 0 && frames > 0
        pcm.commit(frames: frames, decoded: decoded)
    }

    public func reset() throws(DecodingError) { try handle.reset() }
}

/// An `OpusMSDecoder` that returns interleaved Float32 in the order of `ChannelLayout`.
private struct OpusHandle: ~Copyable {
    private let raw: OpaquePointer

    init(_ head: OpusHead) throws(DecodingError) {
        self = try Self.opened(head)
    }

    private init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { opus_multistream_decoder_destroy(raw) }

    private static func opened(_ head: OpusHead) throws(DecodingError) -> OpusHandle {
        let mapping = head.order.sources.map { head.mapping[$0] }
        var code: Int32 = OPUS_OK
        let decoder = opus_multistream_decoder_create(
            Int32(OpusHead.sampleRate), Int32(head.channels), Int32(head.streams), Int32(head.coupledStreams), mapping,
            &code)
        guard let decoder else { throw failure("opus_multistream_decoder_create", code) }
        let handle = OpusHandle(owning: decoder)
        let result = earshot_opus_set_gain(decoder, Int32(head.outputGain))
        guard result == OPUS_OK else { throw failure("OPUS_SET_GAIN", result) }
        return handle
    }

    /// Decodes one packet.
    /// - Parameter capacity: the number of PCM frames that `target` has space for.
    /// - Returns: the number of decoded PCM frames, 0 for a damaged packet.
    func decode(_ packet: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Float>, capacity: Int) -> Int
    {
        // libopus conceals a loss if there are no bytes.
        guard let bytes = packet.baseAddress, !packet.isEmpty, let start = target.baseAddress else { return 0 }
        let decoded = opus_multistream_decode_float(
            raw, bytes.assumingMemoryBound(to: UInt8.self), Int32(clamping: packet.count), start, Int32(capacity), 0)
        return max(0, Int(decoded))
    }

    /// Discards the state; the gain is kept.
    func reset() throws(DecodingError) {
        let result = earshot_opus_reset(raw)
        guard result == OPUS_OK else { throw Self.failure("OPUS_RESET_STATE", result) }
    }

    private static func failure(_ operation: String, _ code: Int32) -> DecodingError {
        .cannotStart(operation: operation, reason: String(cString: opus_strerror(code)))
    }
}
