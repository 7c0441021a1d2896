// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// FLAC in Ogg. Source: RFC 9639 section 10.1.
///
/// VLC, and `flac` before version 1.1.1, write an early mapping: the packets are the marker of a FLAC file, its
/// metadata blocks and its frames. The first versions of `flac` write all metadata into the first packet, and granule
/// positions that are a PCM frame too low. Those of VLC may be a packet too low until the end. So the headers of the
/// frames number the packets.
struct OggFLAC: OggMapping {
    /// `nil` before the second packet of the early mapping.
    private var info: FLACStreamInfo?
    private let isEarly: Bool
    /// The number of the PCM frame after the last measured packet, as its header states it.
    private var end: Int64?
    private var reader = VorbisCommentReader()
    /// The type of the metadata block in the current packet, and its picture as far as it arrived.
    private var block: UInt8 = 0
    private var picture: [UInt8] = []
    private var isLast = false

    /// - Parameter packet: The first packet: a name, the version 1.0, the number of further headers, then the start of
    ///   a FLAC stream. That of the early mapping is the start, or only the marker.
    init(_ packet: ArraySlice<UInt8>) throws(CodecHeaderError) {
        var fields = ByteFields(packet)
        isEarly = !fields.skip("\u{7F}FLAC")
        if !isEarly {
            guard fields.number(1) == 1, fields.bytes(3) != nil else { throw FLACStreamInfo.damaged }
        }
        guard fields.skip("fLaC") else { throw FLACStreamInfo.damaged }
        if isEarly, fields.rest.isEmpty { return }
        info = try Self.streamInfo(fields.rest)
    }

    var track: AudioTrack? { info.map { AudioTrack(codec: .flac($0), format: $0.format) } }
    var comments: VorbisComments { reader.comments }
    let trimsStart = false
    /// The last packet has its true length. A copy from Matroska rounds the granule position of its end.
    let trimsEnd = false
    let longestLag: Int64 = 0
    let needsPreparingPacket = false

    mutating func readHeader(_ piece: UnsafeRawBufferPointer, isBeginning: Bool, isEnding: Bool) -> OggHeaderStep {
        if isBeginning {
            if info == nil, let failure = readStreamInfo(piece) { return .failed(failure) }
            // A frame begins with a byte that is not the header of a block.
            guard let first = piece.first, first != 0xFF, piece.count >= FLACBlock.headerLength else { return .isAudio }
            (block, isLast, picture) = (first & 0x7F, first & 0x80 != 0, [])
        }
        let content = UnsafeRawBufferPointer(rebasing: piece[(isBeginning ? FLACBlock.headerLength : 0)...])
        if block == FLACBlock.comments { reader.append(content) }
        if block == FLACBlock.picture { collect(content, isEnding: isEnding) }
        return isEnding && isLast ? .complete : .needsMore
    }

    /// Parses the second packet of the early mapping.
    /// - Returns: the failure if it is not a valid STREAMINFO block.
    private mutating func readStreamInfo(_ packet: UnsafeRawBufferPointer) -> MediaFailure? {
        let start = Array(packet.prefix(FLACBlock.headerLength + FLACStreamInfo.length))
        do throws(CodecHeaderError) {
            info = try Self.streamInfo(start[...])
            return nil
        } catch {
            return error.failure
        }
    }

    private static func streamInfo(_ bytes: ArraySlice<UInt8>) throws(CodecHeaderError) -> FLACStreamInfo {
        var fields = ByteFields(bytes)
        guard let header = fields.bytes(FLACBlock.headerLength),
            header.first.map({ $0 & 0x7F }) == FLACBlock.streamInfo,
            let content = fields.bytes(FLACStreamInfo.length)
        else { throw FLACStreamInfo.damaged }
        return try FLACStreamInfo(content)
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
        guard let info, let header = FLACFrameHeader.header(of: packet, in: info) else { return nil }
        let sample = header.isVariable ? header.number : header.number * Int64(info.blockSizes.upperBound)
        end = sample + Int64(header.blockSize)
        return header.blockSize
    }

    func granule(of page: OggPage) -> Int64? { isEarly ? end : page.granule }

    mutating func reset() { end = nil }
}
