// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
public import Media

/// A decoder of Vorbis packets with libvorbis.
///
/// A packet yields the PCM frames between the centre of the previous block and that of its own, so after `init` and
/// `reset` the first packet is silent. From the second one on, the output is that of a linear decode, bit for bit.
/// After a damaged packet, the next one is silent too.
public final class VorbisDecoder: AudioDecoder {
    public let format: AudioFormat
    public let maximumPacketFrames: Int
    public private(set) var isPacketDamaged = false

    private let handle: VorbisHandle
    /// The number of the decoded channel for each output channel.
    private let sources: [Int]

    /// - Parameters:
    ///   - identification: the stream's first header packet.
    ///   - setup: the stream's third header packet.
    /// - Throws: `DecodingError.badPacket` if a header is damaged or needs more memory than any encoder's; otherwise
    ///   `cannotStart`.
    public init(identification: [UInt8], setup: [UInt8]) throws(DecodingError) {
        let head: VorbisIdentification
        do { head = try VorbisIdentification(identification) } catch { throw .badPacket(reason: error.failure.reason) }
        try VorbisCodebooks.check(setup)
        format = head.format
        maximumPacketFrames = head.maximumPacketFrames
        sources = head.order.sources
        handle = try VorbisHandle(identification: identification, setup: setup)
    }

    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        try check(frames, pcm)
        let target = pcm.freeSpace
        let decoded = handle.decode(packet) { planes, count in
            let fitting = min(count, maximumPacketFrames)
            write(planes, fitting, to: target)
            return fitting
        }
        isPacketDamaged = decoded == nil
        if isPacketDamaged { handle.reset() }
        pcm.commit(frames: frames, decoded: decoded ?? 0)
    }

    public func reset() throws(DecodingError) { handle.reset() }

    private func write(
        _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ frames: Int,
        to target: UnsafeMutableBufferPointer<Float>
    ) {
        for (channel, source) in sources.enumerated() {
            guard let plane = planes[source] else { continue }
            for frame in 0..<frames { target[frame * sources.count + channel] = plane[frame] }
        }
    }
}
