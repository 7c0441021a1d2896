// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media

/// The decoder of one segment, with trimming: packets → the frames between a landing and the end.
struct ContainerDecoding {
    let codec: AudioCodec
    let segment: Int
    private var place: TrackSegment
    private let decoder: any AudioDecoder
    private let pcm: PacketBuffer
    /// The most frames of lost packets that are played as silence, so that later times stay right: those of an Ogg
    /// page, which has a second of sound in most files. A longer loss is more likely a wrong number in a damaged file.
    private let longestGap: Int
    /// The frame after the last packet; `nil` before the first one and after a seek.
    private(set) var nextFrame: Int64?
    private var landing: Int64 = 0
    private var limit: Duration?

    /// The output of the decoder: a reference, because a buffer cannot be copied.
    private final class PacketBuffer {
        var pcm: PCMBuffer

        init(_ format: AudioFormat, _ capacity: Int) { pcm = PCMBuffer(format: format, capacity: capacity) }
    }

    init(_ place: TrackSegment, _ segment: Int) throws(DecodingError) {
        (codec, self.place, self.segment) = (place.track.codec, place, segment)
        decoder = try codec.makeDecoder(format: place.track.format)
        pcm = PacketBuffer(decoder.format, decoder.maximumPacketFrames)
        longestGap = min(decoder.format.sampleRate * 5 / 4, PCMBlock.maximumFrames - decoder.maximumPacketFrames)
    }

    /// True if the codec rejected the last packet.
    var isPacketDamaged: Bool { decoder.isPacketDamaged }

    /// The time of the frame after the last packet.
    var nextTime: Duration? { nextFrame.map { place.time(of: max($0, landing)) } }

    /// Sets the first frame to play, and the time to stop at.
    mutating func play(from landing: Int64, to limit: Duration?, in place: TrackSegment) {
        (self.landing, self.limit, self.place) = (landing, limit, place)
    }

    /// Returns true if packets between the last one and this one are lost.
    func skipsFrames(before packet: AudioPacket) -> Bool {
        guard let nextFrame, let frame = packet.frame else { return false }
        return frame > nextFrame
    }

    /// Notes that the next packet does not follow the last one.
    mutating func reset() { nextFrame = nil }

    /// Decodes a packet and appends its frames to the block.
    mutating func decode(
        _ packet: AudioPacket, _ bytes: UnsafeRawBufferPointer, into block: PCMBlock
    ) throws(DecodingError) {
        let frame = packet.frame ?? nextFrame ?? 0
        block.reserve(decoder.format, capacity: decoder.maximumPacketFrames + longestGap)
        // A damaged packet may state more frames than there are before the next one.
        let repeated = nextFrame.flatMap { 1...Int64(decoder.maximumPacketFrames) ~= $0 - frame ? $0 : nil }
        if nextFrame != frame, repeated == nil {
            if let nextFrame, frame > nextFrame { emitSilence(nextFrame..<frame, into: block) }
            try decoder.reset()
        }
        pcm.pcm.removeAll()
        try decoder.decode(bytes, frames: packet.frames, into: &pcm.pcm)
        nextFrame = max(frame + Int64(packet.frames), repeated ?? 0)
        emit(pcm.pcm.samples, at: frame, from: repeated ?? frame, into: block)
    }

    private func emitSilence(_ gap: Range<Int64>, into block: PCMBlock) {
        guard gap.count <= longestGap else { return }
        let silence = [Float](repeating: 0, count: gap.count * decoder.format.channels)
        silence.withUnsafeBufferPointer { emit($0, at: gap.lowerBound, from: gap.lowerBound, into: block) }
    }

    /// Appends the frames from `first` on that are neither trimmed nor outside the section.
    private func emit(
        _ samples: UnsafeBufferPointer<Float>, at frame: Int64, from first: Int64, into block: PCMBlock
    ) {
        let channels = decoder.format.channels
        let stop = limit.map { place.frame(at: $0) } ?? .max
        let from = max(first, landing)
        let to = min(frame + Int64(samples.count / channels), stop)
        guard from < to else { return }
        for part in place.track.playedParts(of: from..<to) {
            let (lower, upper) = (Int(part.lowerBound - frame), Int(part.upperBound - frame))
            block.append(
                UnsafeBufferPointer(rebasing: samples[(lower * channels)..<(upper * channels)]),
                at: place.track.playedFrames(before: part.lowerBound), time: place.time(of: part.lowerBound))
        }
    }
}
