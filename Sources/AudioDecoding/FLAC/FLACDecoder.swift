// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioContainers
import CFLAC
public import Media

/// A decoder of FLAC packets with libFLAC. Packets are independent, so no state survives a packet.
public final class FLACDecoder: AudioDecoder {
    public let format: AudioFormat
    public let maximumPacketFrames: Int
    public private(set) var isPacketDamaged = false

    private let info: FLACStreamInfo
    private let handle: FLACHandle

    /// - Throws: `DecodingError.badPacket` if libFLAC rejects the values; `cannotStart`.
    public init(info: FLACStreamInfo) throws(DecodingError) {
        self.info = info
        format = info.format
        maximumPacketFrames = info.blockSizes.upperBound
        handle = try FLACHandle(streamInfo: info.bytes)
    }

    /// Decodes one whole frame, from its sync code to its check sum.
    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        try check(frames, pcm)
        let target = pcm.freeSpace
        var decoded = 0
        // A check sum that is wrong would make libFLAC search the whole packet for another frame.
        if packet.count <= info.packetBytesLimit, FLACFrameChecksum.isValid(packet) {
            handle.decode(packet) { header, planes in
                guard self.info.agrees(with: header) else { return }
                decoded = min(Int(header.blocksize), self.maximumPacketFrames)
                self.write(planes, decoded, to: target)
            }
        }
        isPacketDamaged = decoded == 0 && frames > 0
        pcm.commit(frames: frames, decoded: decoded)
    }

    public func reset() {}

    /// Writes samples as fractions of full scale. The integers have at most 32 bits, of which Float32 keeps the
    /// highest 24, rounded.
    private func write(
        _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>, _ frames: Int,
        to target: UnsafeMutableBufferPointer<Float>
    ) {
        let scale = 1 / Float(1 << (info.bitsPerSample - 1))
        for channel in 0..<info.channels {
            guard let plane = planes[channel] else { continue }
            for frame in 0..<frames { target[frame * info.channels + channel] = Float(plane[frame]) * scale }
        }
    }
}

extension FLACStreamInfo {
    /// The size of a packet whose samples are all stored verbatim, with a difference channel of one more bit, and with
    /// space for the headers.
    fileprivate var packetBytesLimit: Int {
        blockSizes.upperBound * channels * (bitsPerSample + 1) / 8 + 64 + 8 * channels
    }

    fileprivate func agrees(with header: FLAC__FrameHeader) -> Bool {
        Int(header.channels) == channels && Int(header.bits_per_sample) == bitsPerSample
            && Int(header.sample_rate) == sampleRate
    }
}
