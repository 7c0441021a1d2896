// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MPEGStreamParser {
    private static let longestLyrics: Int64 = 128 << 10

    /// Enters the tag found at `position`, after garbage from `since` on.
    mutating func enter(_ tag: TagMatch, garbageSince since: Int64) -> Step {
        switch tag {
        case .lyrics3:
            phase = .insideLyrics(since: position)
            return report(garbage: since..<position)
        case .id3v2(let walker):
            phase = .insideID3v2(walker)
            return report(garbage: since..<position, .tag(.id3v2, walker.range))
        case .id3v1:
            return pass(.id3v1, position..<position + 128, garbageSince: since)
        case .ape(let before, let after):
            // The parser recognizes a version 1 tag by its end: the apparent garbage was its start.
            return pass(.ape, max(since, position - before)..<position + after, garbageSince: since)
        }
    }

    /// Returns a whole tag and continues after it.
    private mutating func pass(_ kind: TagKind, _ range: ByteRange, garbageSince since: Int64) -> Step {
        leaveTag(at: range.upperBound)
        return report(garbage: since..<range.lowerBound, .tag(kind, range))
    }

    private mutating func report(garbage range: ByteRange, _ event: MPEGEvent? = nil) -> Step {
        searchedBefore += Int64(range.count)
        guard case .event(let first) = garbage(range) else { return event.map(Step.event) ?? .moved }
        if let event { pending.append(event) }
        return .event(first)
    }

    mutating func walk(_ walker: ID3v2FrameWalker) -> Step {
        var walker = walker
        switch walker.step(in: window) {
        case .undecided:
            return .needsBytes
        case .moved:
            phase = .insideID3v2(walker)
            move(to: walker.offset)
            return .moved
        case .ended:
            leaveTag(at: walker.range.upperBound)
            return .moved
        case .found(let facts):
            leaveTag(at: walker.range.upperBound)
            return .event(.gapless(facts))
        }
    }

    /// Searches for the end of a Lyrics3 tag. Source: Lyrics3 1 and 2: the tag ends with LYRICSEND or LYRICS200.
    mutating func seekLyricsEnd(since: Int64) -> Step {
        let limit = since + Self.longestLyrics
        // The search starts after LYRICSBEGIN, or after the bytes already examined.
        position = max(position, since + 11)
        guard position < limit, let candidate = window.firstByte(from: position, where: { $0 == UInt8(ascii: "L") })
        else {
            position = min(window.end, limit)
            guard window.isClosed || position == limit else { return .needsBytes }
            leaveTag(at: position)
            return .event(.tag(.lyrics3, since..<position))
        }
        position = min(candidate, limit)
        for name in ["LYRICSEND", "LYRICS200"] as [StaticString] {
            switch window.block(9, named: name, at: position) {
            case .undecided: return .needsBytes
            case .absent: continue
            case .found:
                leaveTag(at: position + 9)
                return .event(.tag(.lyrics3, since..<position))
            }
        }
        position += 1
        return .moved
    }

    /// Leaves a tag: continues the stream if there was one before the tag, otherwise the search.
    private mutating func leaveTag(at end: Int64) {
        move(to: end)
        phase = known.map(Phase.synced) ?? .searching(since: end)
    }

    private mutating func move(to offset: Int64) {
        window.jump(to: offset)
        position = offset
    }
}
