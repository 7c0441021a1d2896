// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MPEGStreamParser {
    /// Parses the bytes at `position` while in sync: a packet, a tag, the start of another format, or the loss of
    /// sync.
    mutating func parsePacket(of format: StreamFormat) -> Step {
        switch window.word(at: position) {
        case .undecided: return .needsBytes
        case .absent: return loseSync(at: position)
        case .found(let word):
            guard let header = MPEGFrameHeader(word) else { return parseTag() }
            return format.admits(header) ? parsePacket(header, format) : changeFormat()
        }
    }

    private mutating func parsePacket(_ header: MPEGFrameHeader, _ format: StreamFormat) -> Step {
        let length = format.length(of: header)
        guard window.holds(length, at: position) else {
            return window.isClosed ? loseSync(at: position + 1) : .needsBytes
        }
        let offset = position
        position += Int64(length)
        searchedBefore = 0
        if let info = info(header, offset: offset, length: length) { return .event(.info(info)) }
        defer { nextNumber += 1 }
        return .event(.packet(MPEGPacket(header: header, offset: offset, length: length, number: nextNumber)))
    }

    private func info(_ header: MPEGFrameHeader, offset: Int64, length: Int) -> StreamInfo? {
        guard StreamInfo.isLikely(header, at: offset, in: window),
            case .found(let frame) = window.block(length, at: offset)
        else { return nil }
        return StreamInfo(frame: frame, header: header, offset: offset)
    }

    private mutating func changeFormat() -> Step {
        switch window.streamFormat(at: position, after: known) {
        case .undecided: return .needsBytes
        case .absent: return loseSync(at: position + 1)
        case .found(let format): return synchronize(to: format)
        }
    }

    private mutating func parseTag() -> Step {
        switch window.tag(at: position) {
        case .undecided: .needsBytes
        case .absent: loseSync(at: position + 1)
        case .found(let tag): enter(tag, garbageSince: position)
        }
    }

    /// Starts the search for sync at `offset`, which is `position` or the byte after it.
    private mutating func loseSync(at offset: Int64) -> Step {
        phase = .searching(since: position)
        position = min(offset, window.end)
        return .moved
    }

    /// Starts `format` at `position`. Returns an event for a change of format, but not for another length in free
    /// format.
    mutating func synchronize(to format: StreamFormat) -> Step {
        let before = known
        known = format
        phase = .synced(format)
        searchedBefore = 0
        guard let before, !before.header.matches(format.header) else { return .moved }
        return .event(.formatChanged(from: before.header, to: format.header))
    }
}
