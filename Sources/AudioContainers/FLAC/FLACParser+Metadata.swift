// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The marker and the metadata blocks before the frames. Source: RFC 9639 section 6, 8.
extension FLACParser {
    private static let mostBlocks = 1000
    /// The most bytes that are searched for the marker.
    private static let markerLimit: Int64 = 2 << 20

    /// Finds the marker, after ID3v2 tags that some programs write before it.
    mutating func findMarker(since: Int64) -> ParserStep {
        switch ID3Tag.length(in: window, at: position) {
        case .undecided: return .needsBytes
        // A tag is skipped at the beginning of the file and directly after another one.
        case .found(let length) where position == tag?.upperBound ?? since:
            tag = position..<position + length
            move(to: position + length, .start(since: position + length))
            return .moved
        case .found, .absent: break
        }
        switch window.name("fLaC", at: position) {
        case .undecided: return .needsBytes
        case .found: return begin(garbageSince: since)
        case .absent: break
        }
        guard position - since <= Self.markerLimit, !window.isClosed || position < window.end else {
            rejectWithoutMarker()
            return .moved
        }
        position = Self.candidate(in: window, after: position)
        return .moved
    }

    /// Returns the next offset at which the marker or a tag may begin.
    private static func candidate(in window: ByteWindow, after offset: Int64) -> Int64 {
        window.first(from: offset + 1) { $0 == UInt8(ascii: "f") } ?? max(offset + 1, window.end)
    }

    /// Begins the stream whose marker is at `position`. Its first block is STREAMINFO.
    private mutating func begin(garbageSince since: Int64) -> ParserStep {
        let header = position + 4
        switch window.block(FLACBlock.headerLength + FLACStreamInfo.length, at: header) {
        case .undecided: return .needsBytes
        case .absent:
            rejectStream(MediaFailure(.badData, "the FLAC header is truncated"))
        case .found(let block):
            do throws(CodecHeaderError) {
                let info = try Self.streamInfo(block)
                if since < position { queue(.garbage(since..<position)) }
                stream = FLACStream(ordinal: streams.add(at: position), info: info)
                (skippedBlock, wantedFrame, blockCount) = (nil, nil, 0)
                isLastBlock = block.first.map { $0 & 0x80 != 0 } ?? true
                move(to: header + Int64(block.count), .block)
            } catch {
                if case .unsupported(let failure) = error { refusal = failure }
                rejectStream(error.failure)
            }
        }
        return .moved
    }

    private static func streamInfo(_ block: ArraySlice<UInt8>) throws(CodecHeaderError) -> FLACStreamInfo {
        var fields = ByteFields(block)
        guard fields.number(1).map({ UInt8($0 & 0x7F) }) == FLACBlock.streamInfo,
            fields.number(3) == FLACStreamInfo.length
        else { throw FLACStreamInfo.damaged }
        return try FLACStreamInfo(fields.rest)
    }

    private mutating func rejectWithoutMarker() {
        if let tag, !tag.isEmpty {
            // The length of the tag may be wrong: the stream may begin inside it.
            let start = tag.lowerBound + Int64(ID3Tag.headerLength)
            self.tag = tag.lowerBound..<tag.lowerBound
            move(to: start, .start(since: start))
        } else {
            fail(MediaFailure(.badData, "no FLAC stream was found"))
        }
    }

    /// Rejects the file, or ends at a further stream that cannot be played.
    private mutating func rejectStream(_ failure: MediaFailure) {
        guard let stream, stream.audioStart != nil else { return fail(failure) }
        move(to: position + 4, .searching(since: position, isDamage: true))
    }

    mutating func readBlockHeader() -> ParserStep {
        guard !isLastBlock else { return endMetadata() }
        switch window.block(FLACBlock.headerLength, at: position) {
        case .undecided: return .needsBytes
        case .absent: return endMetadata()
        case .found(let header):
            let type = (header.first ?? 0) & 0x7F
            // Without a last block, a frame may follow.
            guard type != FLACBlock.invalid, blockCount < Self.mostBlocks else { return endMetadata() }
            blockCount += 1
            isLastBlock = (header.first ?? 0) & 0x80 != 0
            let start = position + Int64(header.count)
            beginBlock(type, start..<start + Int64(header.dropFirst().number(.bigEndian)))
            return .moved
        }
    }

    private mutating func beginBlock(_ type: UInt8, _ range: Range<Int64>) {
        switch type {
        case FLACBlock.comments: move(to: range.lowerBound, .comments(end: range.upperBound))
        case FLACBlock.seekTable: move(to: range.lowerBound, .seekTable(end: range.upperBound))
        case FLACBlock.picture where range.count <= PictureBlock.longest:
            move(to: range.lowerBound, .picture(end: range.upperBound))
        default:
            skippedBlock = skippedBlock ?? range.lowerBound
            move(to: range.upperBound, .block)
        }
    }

    mutating func readComments(to end: Int64) -> ParserStep {
        let available = position..<max(position, min(end, window.end))
        window.withBytes(of: available) { stream?.comments.append($0) }
        position = available.upperBound
        guard position == end || window.isClosed || stream?.comments.isDone ?? true else { return .needsBytes }
        move(to: end, .block)
        return .moved
    }

    mutating func readSeekTable(to end: Int64) -> ParserStep {
        while position + Int64(FLACSeekTable.pointLength) <= end {
            switch window.block(FLACSeekTable.pointLength, at: position) {
            case .undecided: return .needsBytes
            case .absent: return endMetadata()
            case .found(let point): stream?.seekTable.add(point)
            }
            position += Int64(FLACSeekTable.pointLength)
        }
        move(to: end, .block)
        return .moved
    }

    mutating func readPicture(to end: Int64) -> ParserStep {
        switch window.block(Int(end - position), at: position) {
        case .undecided: return .needsBytes
        case .absent: return endMetadata()
        case .found(let block):
            PictureBlock(block).map { stream?.comments.add($0) }
            move(to: end, .block)
            return .moved
        }
    }

    private mutating func endMetadata() -> ParserStep {
        guard let stream else { return .needsBytes }
        stream.comments.comments.events.forEach { queue($0) }
        var track = AudioTrack(codec: .flac(stream.info), format: stream.info.format)
        track.ordinal = stream.ordinal
        queue(.track(track))
        phase = .audioStart
        return .moved
    }
}
