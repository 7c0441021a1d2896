// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The frames after the metadata. Source: RFC 9639 section 9.
extension FLACParser {
    /// The most bytes that are searched for the first frame.
    private static let frameLimit: Int64 = 2 << 20

    /// The longest skipped block that is searched for frames before the bytes after it.
    private static let shortSkip: Int64 = 256 << 10

    /// Finds the first frame. If none begins after the metadata, the length of a block was wrong, or bytes are damaged.
    mutating func beginAudio() -> ParserStep {
        switch frameHeader() {
        case .undecided: return .needsBytes
        case .found: phase = .synced
        case .absent:
            guard let skippedBlock, position - skippedBlock <= Self.shortSkip else {
                phase = .searching(since: position, isDamage: true)
                return .moved
            }
            searchSkippedBlock()
        }
        return .moved
    }

    /// Searches for frames from the first skipped block on.
    private mutating func searchSkippedBlock() {
        guard let start = skippedBlock else { return }
        skippedBlock = nil
        move(to: start, .searching(since: start, isDamage: true))
    }

    private mutating func rejectWithoutFrame(_ reason: String) {
        if skippedBlock != nil { searchSkippedBlock() } else { fail(MediaFailure(.badData, reason)) }
    }

    /// Finds the header of a frame of the stream at `position`.
    private func frameHeader() -> Lookup<FLACFrameHeader> {
        guard let info = stream?.info else { return .absent }
        let bytes = window.prefix(FLACFrameHeader.longest, at: position)
        let found = FLACFrameHeader.parse(bytes, isWhole: window.isClosed)
        if case .found(let header) = found, !header.matches(info) { return .absent }
        return found
    }

    /// Parses the frame at `position`, or the tag or the stream that follows the last frame.
    mutating func findNextFrame() -> ParserStep {
        if scan != nil { return continueScan(garbageSince: nil) }
        switch frameHeader() {
        case .undecided: return .needsBytes
        case .found(let header):
            beginScan(header)
            return .moved
        case .absent: return leaveFrames()
        }
    }

    private mutating func beginNextStream() {
        closeStream()
        phase = .start(since: position)
    }

    private mutating func leaveFrames() -> ParserStep {
        if window.isClosed, position >= window.end { return end() }
        switch FLACMarker.find(in: window, at: position) {
        case .undecided: return .needsBytes
        case .found:
            beginNextStream()
            return .moved
        case .absent: break
        }
        switch TrailingTag.length(in: window, at: position) {
        case .undecided: return .needsBytes
        case .found(let length): move(to: position + length, .synced)
        case .absent: phase = .searching(since: position, isDamage: true)
        }
        return .moved
    }

    /// Searches for the header of a frame from `position` on.
    mutating func search(since: Int64, isDamage: Bool) -> ParserStep {
        if scan != nil { return continueScan(garbageSince: isDamage ? since : nil) }
        if stream?.audioStart == nil, position - since > Self.frameLimit {
            rejectWithoutFrame("no FLAC frame was found")
            return .moved
        }
        switch frameHeader() {
        case .undecided: return .needsBytes
        case .found(let header): beginScan(header)
        case .absent:
            if window.isClosed, position >= window.end {
                if isDamage, since < position { queue(.garbage(since..<position)) }
                return end()
            }
            return searchNextStream(since: since, isDamage: isDamage)
        }
        return .moved
    }

    private mutating func searchNextStream(since: Int64, isDamage: Bool) -> ParserStep {
        switch FLACMarker.find(in: window, at: position) {
        case .undecided: return .needsBytes
        case .found:
            if isDamage, since < position { queue(.garbage(since..<position)) }
            beginNextStream()
        case .absent:
            let isInitial: (UInt8) -> Bool = { $0 == 0xFF || $0 == UInt8(ascii: "f") }
            pass(to: window.first(from: position + 1, where: isInitial) ?? max(position + 1, window.end))
        }
        return .moved
    }

    private mutating func pass(to offset: Int64) {
        budget.earn(offset - position)
        position = offset
    }

    private mutating func beginScan(_ header: FLACFrameHeader) {
        guard let info = stream?.info else { return }
        scan = FLACFrameScan(header, at: position, info, in: window)
    }

    /// Continues the search for the end of the frame at `position`.
    private mutating func continueScan(garbageSince since: Int64?) -> ParserStep {
        guard var scan else { return .needsBytes }
        let outcome = scan.advance(in: window)
        self.scan = scan
        switch outcome {
        case .needsBytes: return .needsBytes
        case .end(let end):
            if let since, since < scan.start { queue(.garbage(since..<scan.start)) }
            finishFrame(scan.header, scan.start..<end, isAfterGarbage: since.map { $0 < scan.start } ?? false)
        case .damaged(let next): loseFrame(scan, next: next)
        case .lost:
            // The search continues inside the frame, unless files of false headers would make that slow.
            let length = scan.position - scan.start
            loseFrame(scan, next: budget.spend(length) ? scan.start + 1 : scan.position)
        }
        return .moved
    }

    private mutating func loseFrame(_ scan: FLACFrameScan, next: Int64) {
        if case .searching = phase {} else { phase = .searching(since: scan.start, isDamage: true) }
        self.scan = nil
        pass(to: next)
    }

    private mutating func finishFrame(_ header: FLACFrameHeader, _ range: Range<Int64>, isAfterGarbage: Bool) {
        let isFirst = stream?.audioStart == nil
        if isFirst { stream?.audioStart = range.lowerBound }
        (phase, scan, position) = (.synced, nil, range.upperBound)
        guard let frame = stream?.place(header, isStartDamaged: isFirst && isAfterGarbage) else { return }
        if jump != nil { return performJump() }
        if let wanted = wantedFrame {
            if frame > wanted, isAfterSeek { return restartWithoutTable() }
            isAfterSeek = false
            guard frame + Int64(header.blockSize) > wanted else { return }
            wantedFrame = nil
        }
        queue(
            .packet(
                AudioPacket(
                    frame: frame, frames: header.blockSize, offset: range.lowerBound, length: range.count)))
    }

    private mutating func closeStream() {
        guard let stream else { return }
        streams.setFrames(stream.next, of: stream.ordinal)
    }

    /// Ends the parse at the end of the file.
    private mutating func end() -> ParserStep {
        if let stream, stream.audioStart == nil, stream.ordinal == 0 || skippedBlock != nil {
            rejectWithoutFrame("the file ends before its sound")
            return .moved
        }
        closeStream()
        phase = .done
        return .moved
    }
}
