// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MPEGStreamParser {
    /// Moves to the next byte at which a packet or a tag may begin, and examines it. Called without sync.
    mutating func search(since: Int64) -> Step {
        guard let candidate = window.firstByte(from: position, where: Self.isInitial) else {
            position = window.end
            guard window.isClosed else { return .needsBytes }
            phase = .done
            return garbage(since..<position)
        }
        position = candidate
        switch window.streamFormat(at: position, after: known) {
        case .undecided: return .needsBytes
        case .found(let format): return acquire(format, since: since)
        case .absent: break
        }
        switch window.tag(at: position) {
        case .undecided: return .needsBytes
        case .found(let tag): return enter(tag, garbageSince: since)
        case .absent:
            position += 1
            return .moved
        }
    }

    private mutating func acquire(_ format: StreamFormat, since: Int64) -> Step {
        let first = garbage(since..<position)
        let second = synchronize(to: format)
        guard case .event = first else { return second }
        if case .event(let change) = second { pending.append(change) }
        return first
    }

    /// Returns true for the first byte of a sync word, "ID3", "TAG", "APETAGEX" or "LYRICSBEGIN".
    private static func isInitial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xFF, UInt8(ascii: "I"), UInt8(ascii: "T"), UInt8(ascii: "A"), UInt8(ascii: "L"): true
        default: false
        }
    }

    func garbage(_ range: Range<Int64>) -> Step {
        range.isEmpty ? .moved : .event(.garbage(range))
    }
}
