// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Synchronization to pages.
extension OggParser {
    /// The most bytes that are searched for the first stream, and that the headers of a stream may have.
    private static let searchLimit: Int64 = 2 << 20
    private static let headerLimit: Int64 = 64 << 20

    /// Parses the bytes at `position`.
    mutating func step() -> ParserStep {
        if case .start = phase { return skipTag() }
        if links.isEmpty, position - (tag?.upperBound ?? 0) > Self.searchLimit { return rejectWithoutStream() }
        if let link, link.isInHeaders, position - link.offset > Self.headerLimit {
            rejectStream(MediaFailure(.badData, "the headers of the Ogg stream are too long"))
            return .moved
        }
        switch OggPage.find(in: window, at: position) {
        case .undecided: return .needsBytes
        case .page(let page): pass(page)
        case .damaged(let length):
            // The search continues inside the page, unless files of false pages would make that slow.
            loseSync(at: position + (budget.spend(length) ? 1 : length))
        case .absent:
            guard !window.isClosed || position < window.end else { return end() }
            if passTruncatedPage() { return .moved }
            loseSync(at: position + 1)
        }
        return .moved
    }

    /// Skips an ID3v2 tag, which some programs write before the first page.
    private mutating func skipTag() -> ParserStep {
        switch ID3Tag.length(in: window, at: position) {
        case .undecided: return .needsBytes
        case .found(let length):
            tag = position..<position + length
            move(to: position + length)
            phase = .start
        case .absent: phase = .synced
        }
        return .moved
    }

    /// Continues at `offset` without knowledge of the bytes before it.
    mutating func move(to offset: Int64) {
        window.move(to: offset)
        position = offset
        phase = .searching(since: offset, isDamage: false)
        isInGroup = false
    }

    private mutating func pass(_ page: OggPage) {
        reportGarbage(before: page.offset)
        phase = .synced
        position = page.end
        handle(page, end: page.end)
    }

    /// Searches for the next page from `offset` on.
    private mutating func loseSync(at offset: Int64) {
        if case .synced = phase { phase = .searching(since: position, isDamage: true) }
        let candidate = window.first(from: offset) { $0 == UInt8(ascii: "O") } ?? max(offset, window.end)
        budget.earn(candidate - position)
        position = candidate
    }

    private var isSynced: Bool { if case .synced = phase { true } else { false } }

    private mutating func reportGarbage(before offset: Int64) {
        guard case .searching(let since, true) = phase, since < offset else { return }
        queue(.garbage(since..<offset))
        if link?.audioStart == nil { link?.clock.isStartDamaged = true }
    }

    /// Uses the whole packets of a page that the end of the file truncates. Its checksum is missing, but its header
    /// must continue the stream, or be where a jump leads.
    /// - Returns: false if there is no such page at `position`.
    private mutating func passTruncatedPage() -> Bool {
        guard window.isClosed, case .found(let page) = OggPage.header(in: window, at: position),
            page.end > window.end, !page.isFirst, let link, link.serial == page.serial, link.audioStart != nil,
            isSynced && link.assembler.expects(page) || jumpTarget == page.offset
        else { return false }
        let whole = page.pieces.last { $0.isEnding && $0.range.upperBound <= window.end }
        position = window.end
        handle(page, end: window.end)
        let garbage = (whole?.range.upperBound ?? page.offset)..<window.end
        if !garbage.isEmpty { queue(.garbage(garbage)) }
        return true
    }

    /// Ends the parse at the end of the file.
    private mutating func end() -> ParserStep {
        guard !links.isEmpty else { return rejectWithoutStream() }
        reportGarbage(before: window.end)
        phase = .done
        guard let link else { return .moved }
        guard link.hasTrack else {
            if link.ordinal == 0 { fail(MediaFailure(.badData, "the file ends before its sound")) }
            return .moved
        }
        // A search that finds no page does not know the number of frames.
        if !link.isOver, jumpTarget == nil { links.setFrames(link.clock.next, of: link.ordinal) }
        return .moved
    }

    /// Skips a chained stream that cannot be played, or rejects the file if it is the first one.
    mutating func rejectStream(_ failure: MediaFailure) {
        guard let link, link.ordinal > 0 else { return fail(failure) }
        self.link = nil
    }

    private mutating func rejectWithoutStream() -> ParserStep {
        if let tag, !tag.isEmpty {
            // The length of the tag may be wrong: a page may begin inside it.
            let start = tag.lowerBound + Int64(ID3Tag.headerLength)
            self.tag = start..<start
            move(to: start)
        } else {
            fail(damage ?? refusal ?? MediaFailure(.badData, "no Ogg stream was found"))
        }
        return .moved
    }
}
