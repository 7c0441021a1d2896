// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// FLAC in Ogg. Source: RFC 9639 section 10.1.
struct OggFLAC: OggMapping {
    private let info: FLACStreamInfo
    private var reader = VorbisCommentReader()
    /// The type of the metadata block in the current packet, and its picture as far as it arrived.
    private var block: UInt8 = 0
    private var picture: [UInt8] = []
    private var isLast = false

    /// - Parameter packet: The first packet: a name, the version 1.0, the number of further headers, then the start of
    ///   a FLAC stream.
    init(_ packet: ArraySlice<UInt8>) throws(CodecHeaderError) {
        var fields = ByteFields(packet)
        guard fields.skip("\u{7F}FLAC"), fields.number(1) == 1, fields.bytes(3) != nil, fields.skip("fLaC"),
            let header = fields.bytes(FLACBlock.headerLength), header.first.map({ $0 & 0x7F }) == FLACBlock.streamInfo,
            let block = fields.bytes(FLACStreamInfo.length)
        else { throw FLACStreamInfo.damaged }
        info = try FLACStreamInfo(block)
    }

    var track: AudioTrack { AudioTrack(codec: .flac(info), format: info.format) }
    var comments: VorbisComments { reader.comments }
    let trimsStart = false
    /// The last packet has its true length. A copy from Matroska rounds the granule position of its end.
    let trimsEnd = false
    let longestLag: Int64 = 0
    let needsPreparingPacket = false

    mutating func readHeader(_ piece: UnsafeRawBufferPointer, isBeginning: Bool, isEnding: Bool) -> OggHeaderStep {
        if isBeginning {
            // A frame begins with a byte that is not the header of a block.
            guard let first = piece.first, first != 0xFF, piece.count >= FLACBlock.headerLength else { return .isAudio }
            (block, isLast, picture) = (first & 0x7F, first & 0x80 != 0, [])
        }
        let content = UnsafeRawBufferPointer(rebasing: piece[(isBeginning ? FLACBlock.headerLength : 0)...])
        if block == FLACBlock.comments { reader.append(content) }
        if block == FLACBlock.picture { collect(content, isEnding: isEnding) }
        return isEnding && isLast ? .complete : .needsMore
    }

    private mutating func collect(_ content: UnsafeRawBufferPointer, isEnding: Bool) {
        guard picture.count + content.count <= PictureBlock.longest else {
            // The rest of the block is skipped like a block of another type.
            (block, picture) = (FLACBlock.invalid, [])
            return
        }
        picture.append(contentsOf: content)
        guard isEnding else { return }
        PictureBlock(picture[...]).map { reader.add($0) }
        picture = []
    }

    mutating func frames(of packet: UnsafeRawBufferPointer) -> Int? {
        FLACFrameHeader.blockSize(of: packet, in: info)
    }

    mutating func reset() {}
}
