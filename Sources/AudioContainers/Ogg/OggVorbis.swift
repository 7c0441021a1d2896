// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Vorbis in Ogg. Source: Vorbis I section 4.2, 4.3 and section A.
struct OggVorbis: OggMapping {
    private static let longestSetup = 512 << 10

    private let head: VorbisIdentification
    private let identification: [UInt8]
    private var reader: VorbisCommentReader?
    private var setup: [UInt8] = []
    private var isInSetup = false
    /// The block size of each mode in PCM frames.
    private var blocks: [Int] = []
    /// The block size of the previous packet; `nil` at the start and after a jump.
    private var previous: Int?

    init(_ head: VorbisIdentification, bytes: [UInt8]) { (self.head, identification) = (head, bytes) }

    var track: AudioTrack? {
        AudioTrack(
            codec: .vorbis(identification: identification, setup: setup), format: head.format, preRoll: head.preRoll)
    }
    var comments: VorbisComments { reader?.comments ?? VorbisComments() }
    let trimsStart = true
    let trimsEnd = true
    /// Twice the difference between the packet at a change of the block size and the one before. FFmpeg moves the
    /// durations in each copy from Matroska. Up to 48 kHz, a lost packet of long blocks has more frames than that and
    /// the rounding to milliseconds; above, only the number of its page shows the loss.
    var longestLag: Int64 { Int64(head.longBlock - head.shortBlock) / 2 }
    let needsPreparingPacket = true

    mutating func readHeader(_ piece: UnsafeRawBufferPointer, isBeginning: Bool, isEnding: Bool) -> OggHeaderStep {
        if isBeginning {
            isInSetup = piece.starts(with: "\u{5}vorbis".utf8)
            guard isInSetup || piece.starts(with: "\u{3}vorbis".utf8) else {
                return .failed(VorbisIdentification.damaged.failure)
            }
            if !isInSetup { reader = VorbisCommentReader() }
        }
        guard isInSetup else {
            reader?.append(UnsafeRawBufferPointer(rebasing: piece[(isBeginning ? 7 : 0)...]))
            return .needsMore
        }
        guard setup.count + piece.count <= Self.longestSetup else {
            return .failed(VorbisIdentification.damaged.failure)
        }
        setup.append(contentsOf: piece)
        return isEnding ? finishSetup() : .needsMore
    }

    private mutating func finishSetup() -> OggHeaderStep {
        guard let modes = VorbisSetup.blockFlags(of: setup[...], channels: head.channels) else {
            return .failed(VorbisIdentification.damaged.failure)
        }
        blocks = modes.map { $0 ? head.longBlock : head.shortBlock }
        return .complete
    }

    /// A packet yields the frames between the middle of the previous block and that of its own: a quarter of each.
    /// Source: Vorbis I section 4.3.8.
    mutating func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        // The first bit is 0 in an audio packet; the number of the mode follows.
        guard let first = packet.first, first & 1 == 0 else { return nil }
        let mode = Int(first >> 1) & (1 << VorbisSetup.width(of: blocks.count - 1) - 1)
        guard blocks.indices.contains(mode) else { return nil }
        defer { previous = blocks[mode] }
        return previous.map { ($0 + blocks[mode]) / 4 } ?? 0
    }

    mutating func reset() { previous = nil }
}
