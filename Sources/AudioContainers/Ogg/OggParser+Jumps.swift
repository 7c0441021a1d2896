// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Jumps to other places of the file.
extension OggParser {
    /// Returns false: Ogg has no tables. A driver approaches the frame with `FrameSearch` and `synchronize(from:)`.
    public mutating func seek(to frame: Int64) -> Bool { false }

    public mutating func synchronize(from offset: Int64) {
        go(.synchronize(ContainerPoint.clamped(offset)))
    }

    public mutating func resume(at point: ContainerPoint) {
        go(.resume(point.clamped))
    }

    private mutating func go(_ jump: StreamJump) {
        guard !hasFailed else { return }
        discardPackets()
        self.jump = jump
        guard let entry = links.entry(around: jump.offset) else { return }
        guard let link, link.ordinal == entry.ordinal, link.audioStart != nil, link.clock.base != nil else {
            // The headers of the stream must be read again.
            self.link = nil
            return move(to: entry.offset)
        }
        performJump()
    }

    /// Jumps if the stream's headers and its first granule position are known.
    mutating func performJump() {
        guard let jump, let link, let start = link.audioStart, link.clock.base != nil else { return }
        self.jump = nil
        discardPackets()
        retreat = 2 * OggPage.longest
        switch jump {
        case .synchronize(let offset) where offset <= start: restart(at: start, next: 0)
        case .synchronize(let offset): restart(at: offset, next: nil)
        case .resume(let point):
            restart(at: max(point.offset, start), next: point.frame)
            firstIndex = point.index
        }
    }

    /// Continues in the stream at `offset`, where the frame `next` follows.
    private mutating func restart(at offset: Int64, next: Int64?) {
        link?.mapping.reset()
        link?.assembler.reset()
        link?.clock.restart(at: next)
        link?.isOver = false
        link?.previous = nil
        (firstIndex, silentBefore, isAfterJump) = (0, 0, true)
        // Headers may precede the audio in its first page.
        if let link, link.audioStart == offset { firstIndex = link.audioIndex }
        jumpTarget = offset
        move(to: offset)
    }

    /// Starts at an earlier page, to learn the number of the first packet in `page`. Drops the packets of `page` if no
    /// earlier page helps.
    mutating func retreat(from page: OggPage) {
        guard let start = link?.audioStart else { return }
        let hasTriedAll = silentBefore == page.offset && page.offset - retreat / 2 <= start
        guard !hasTriedAll else { return }
        let offset = max(start, page.offset - retreat)
        retreat *= 2
        restart(at: offset, next: offset == start ? 0 : nil)
        silentBefore = page.offset
    }

    /// Drops the packets of the first page after a jump that precede the wanted one. If the page is not where it was,
    /// its own granule position numbers it.
    mutating func dropPacketsBeforeJump(_ packets: inout [OggPacket], _ page: OggPage, _ link: inout OggLink) {
        guard let target = jumpTarget else { return }
        jumpTarget = nil
        guard page.offset == target else { return link.clock.restart(at: nil) }
        packets.removeAll { $0.place.offset == target && $0.place.index < firstIndex }
    }
}
