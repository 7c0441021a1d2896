// SPDX-License-Identifier: GPL-3.0-or-later

extension MPEGStreamParser {
    /// In sync: whatever lies at `position` is a packet, a tag, the start of another format, or sync is lost.
    mutating func takePacket(of format: StreamFormat) -> Step {
        switch window.word(at: position) {
        case .undecided: return .needsBytes
        case .absent: return loseSync(at: position)
        case .found(let word):
            guard let header = MPEGFrameHeader(word) else { return takeTag() }
            return format.admits(header) ? takePacket(header, format) : changeFormat()
        }
    }

    private mutating func takePacket(_ header: MPEGFrameHeader, _ format: StreamFormat) -> Step {
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

    private mutating func takeTag() -> Step {
        switch window.tag(at: position) {
        case .undecided: .needsBytes
        case .absent: loseSync(at: position + 1)
        case .found(let tag): enter(tag, garbageSince: position)
        }
    }

    /// Goes searching from `offset`, which is `position` or the byte behind it.
    private mutating func loseSync(at offset: Int64) -> Step {
        phase = .searching(since: position)
        position = min(offset, window.end)
        return .moved
    }

    /// Takes up `format` at `position`; tells of a change, but not of one in free format's length.
    mutating func synchronize(to format: StreamFormat) -> Step {
        let before = known
        known = format
        phase = .synced(format)
        searchedBefore = 0
        guard let before, !before.header.matches(format.header) else { return .moved }
        return .event(.formatChanged(from: before.header, to: format.header))
    }
}
