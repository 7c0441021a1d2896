// SPDX-License-Identifier: GPL-3.0-or-later
import CFLAC

/// A `FLAC__StreamDecoder` that reads one packet at a time.
final class FLACHandle {
    /// Receives the decoded packet: its header and a plane of integers per channel.
    typealias Output = (FLAC__FrameHeader, UnsafePointer<UnsafePointer<FLAC__int32>?>) -> Void

    private let raw: UnsafeMutablePointer<FLAC__StreamDecoder>
    /// The unread bytes of the packet.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var output: Output?
    private var hasFailed = false

    /// - Parameter streamInfo: the bytes of the STREAMINFO block.
    /// - Throws: `DecodingError.cannotStart`.
    init(streamInfo: [UInt8]) throws(DecodingError) {
        guard let raw = FLAC__stream_decoder_new() else {
            throw .cannotStart(operation: "FLAC__stream_decoder_new", reason: "libFLAC cannot be loaded")
        }
        self.raw = raw
        let status = FLAC__stream_decoder_init_stream(
            raw, readPacket, nil, nil, nil, nil, writeFrame, nil, noteError, Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw .cannotStart(operation: "FLAC__stream_decoder_init_stream", reason: "status \(status.rawValue)")
        }
        // The last metadata block is a STREAMINFO.
        let start = Array("fLaC".utf8) + [0x80, 0, 0, UInt8(streamInfo.count)] + streamInfo
        guard start.withUnsafeBytes({ read($0, FLAC__stream_decoder_process_until_end_of_metadata) }) else {
            throw .badPacket(reason: "libFLAC rejects the STREAMINFO block")
        }
    }

    deinit { FLAC__stream_decoder_delete(raw) }

    /// Decodes one packet.
    /// - Parameter body: called once, unless the packet is damaged.
    func decode(_ packet: UnsafeRawBufferPointer, _ body: Output) {
        // Packets are independent. Without the flush libFLAC would fill a gap between packet numbers with silence.
        FLAC__stream_decoder_flush(raw)
        withoutActuallyEscaping(body) { body in
            output = body
            _ = read(packet, FLAC__stream_decoder_process_single)
            output = nil
        }
    }

    /// - Returns: false if libFLAC failed.
    private func read(
        _ bytes: UnsafeRawBufferPointer, _ step: (UnsafeMutablePointer<FLAC__StreamDecoder>?) -> FLAC__bool
    ) -> Bool {
        input = bytes
        hasFailed = false
        defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
        return step(raw) != 0 && !hasFailed
    }
}

extension FLACHandle {
    /// libFLAC searches for another packet in the bytes that it has read after an error. Small pieces limit that.
    private static let piece = 512

    /// Copies the next bytes of the packet.
    /// - Returns: the number of bytes; 0 at the end of the packet.
    fileprivate func copyInput(to target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, input.count, Self.piece)
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        return count
    }

    fileprivate var isAborted: Bool { hasFailed }

    fileprivate func fail() { hasFailed = true }

    fileprivate func put(_ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>) {
        output?(header, planes)
        output = nil
    }

    fileprivate static func from(_ client: UnsafeMutableRawPointer?) -> FLACHandle? {
        client.map { Unmanaged<FLACHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func readPacket(
    _: UnsafePointer<FLAC__StreamDecoder>?, _ buffer: UnsafeMutablePointer<FLAC__byte>?,
    _ count: UnsafeMutablePointer<Int>?, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderReadStatus {
    guard let handle = FLACHandle.from(client), let count, !handle.isAborted else {
        return FLAC__STREAM_DECODER_READ_STATUS_ABORT
    }
    count.pointee = handle.copyInput(to: UnsafeMutableRawBufferPointer(start: buffer, count: count.pointee))
    return count.pointee > 0
        ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
}

private func writeFrame(
    _: UnsafePointer<FLAC__StreamDecoder>?, _ frame: UnsafePointer<FLAC__Frame>?,
    _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>?, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus {
    guard let handle = FLACHandle.from(client), let frame, let planes else {
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
    }
    handle.put(frame.pointee.header, planes)
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func noteError(
    _: UnsafePointer<FLAC__StreamDecoder>?, _: FLAC__StreamDecoderErrorStatus, _ client: UnsafeMutableRawPointer?
) {
    FLACHandle.from(client)?.fail()
}
