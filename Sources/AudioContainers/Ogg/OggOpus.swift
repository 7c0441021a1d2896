// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Opus in Ogg. Source: RFC 7845.
struct OggOpus: OggMapping {
    private static let tagsName = Array("OpusTags".utf8)

    private let head: OpusHead
    private var reader: VorbisCommentReader?

    init(head: OpusHead) { self.head = head }

    var track: AudioTrack? {
        AudioTrack(codec: .opus(head), format: head.format, start: Int64(head.preSkip), preRoll: OpusHead.preRoll)
    }
    var comments: VorbisComments { reader?.comments ?? VorbisComments() }
    let trimsStart = false
    let trimsEnd = true
    let longestLag: Int64 = 0
    let needsPreparingPacket = false

    mutating func readHeader(_ piece: UnsafeRawBufferPointer, isBeginning: Bool, isEnding: Bool) -> OggHeaderStep {
        if isBeginning {
            guard piece.starts(with: Self.tagsName) else { return .isAudio }
            reader = VorbisCommentReader()
        }
        let skipped = isBeginning ? Self.tagsName.count : 0
        reader?.append(UnsafeRawBufferPointer(rebasing: piece[skipped...]))
        return isEnding ? .complete : .needsMore
    }

    mutating func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        packet.starts(with: Self.tagsName) ? nil : OpusPacketDuration.frames(of: packet)
    }

    mutating func reset() {}
}
