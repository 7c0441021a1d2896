// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Logical streams: their first pages, their headers, their audio pages.
extension OggParser {
    /// Parses a page with the right checksum, or one of which the file has only the bytes before `end`.
    mutating func handle(_ page: OggPage, end: Int64) {
        if page.isFirst { return begin(page) }
        if isInGroup, !hasAudioInGroup, links.isEmpty {
            let refusal = refusal ?? MediaFailure(.badData, "the Ogg file contains no Opus, Vorbis or FLAC")
            self.refusal = refusal
            return fail(damage ?? refusal)
        }
        isInGroup = false
        guard var link, link.serial == page.serial, !link.isOver else { return }
        let isAfterHole = link.assembler.begin(page)
        // The packet before the hole cannot prepare the decoder for the one after it.
        if isAfterHole { link.previous = nil }
        do throws(MediaFailure) {
            let first = link.isInHeaders ? try readHeaders(of: &link, page) : 0
            self.link = link
            if let first { readAudio(page, from: first, end: end, isAfterHole: isAfterHole) }
        } catch {
            rejectStream(error)
        }
    }

    /// Begins a stream, unless another one of its group is played already.
    private mutating func begin(_ page: OggPage) {
        if !isInGroup { (isInGroup, hasAudioInGroup) = (true, false) }
        // A chained stream may have the serial number of the one before.
        if link?.serial == page.serial { close() }
        guard !hasAudioInGroup, let piece = page.pieces.first else { return }
        switch OggCodec(window.prefix(piece.range.count, at: piece.range.lowerBound)) {
        case .ignored: return
        case .refused(let failure): refusal = refusal ?? failure
        case .damaged(let failure): damage = damage ?? failure
        case .supported(let mapping):
            close()
            hasAudioInGroup = true
            let ordinal = links.add(at: page.offset)
            var link = OggLink(ordinal: ordinal, offset: page.offset, serial: page.serial, mapping: mapping)
            _ = link.assembler.begin(page)
            self.link = link
        }
    }

    /// Ends the current stream.
    private mutating func close() {
        guard let link else { return }
        if !link.isOver, link.audioStart != nil { links.setFrames(link.clock.next, of: link.ordinal) }
        self.link = nil
    }

    /// Parses the header packets in the page.
    /// - Returns: the number of the first piece that is audio; `nil` if there is none.
    private mutating func readHeaders(of link: inout OggLink, _ page: OggPage) throws(MediaFailure) -> Int? {
        for (number, piece) in page.pieces.enumerated() {
            let step = window.withBytes(of: piece.range) {
                link.mapping.readHeader($0, isBeginning: piece.isBeginning, isEnding: piece.isEnding)
            }
            switch step {
            case .needsMore: continue
            case .failed(let failure): throw failure
            case .complete, .isAudio:
                link.isInHeaders = false
                link.mapping.comments.events.forEach { queue($0) }
                if case .isAudio = step { return number }
                return number + 1 < page.pieces.count ? number + 1 : nil
            }
        }
        return nil
    }

    /// Returns the packets of a page.
    private mutating func readAudio(_ page: OggPage, from first: Int, end: Int64, isAfterHole: Bool) {
        guard var link else { return }
        if link.audioStart == nil {
            link.audioStart = page.offset
            link.audioIndex = Int64(page.pieces.prefix(first).filter(\.isBeginning).count)
        }
        var packets = link.assembler.packets(of: page, from: first, end: end, in: window)
        dropPacketsBeforeJump(&packets, page, &link)
        let measured = measure(packets, &link)
        let isTruncated = end < page.end
        guard !measured.isEmpty || page.isLast && link.clock.next != nil else {
            link.isOver = link.isOver || page.isLast && !isTruncated
            self.link = link
            return
        }
        let placement = link.clock.place(
            OggClock.Page(
                offset: page.offset, frames: measured.reduce(0) { $0 + Int64($1.frames) },
                granule: isTruncated ? nil : link.mapping.granule(of: page), isLast: page.isLast && !isTruncated,
                isAfterHole: isAfterHole, mayOverlap: isAfterHole && link.mapping.needsPreparingPacket))
        switch placement {
        case .unknown: self.link = link
        case .needsEarlierPage:
            self.link = link
            return retreat(from: page)
        case .at(let frame, let end):
            returnTrack(of: &link, end: end)
            for packet in measured { returnPacket(packet, &link, frame) }
            self.link = link
        }
        if page.isLast, !isTruncated { endStream() }
        performJump()
    }

    /// Measures the packets and reports those that are not valid.
    private mutating func measure(_ packets: [OggPacket], _ link: inout OggLink) -> [MeasuredPacket] {
        var measured: [MeasuredPacket] = []
        var distance: Int64 = 0
        for packet in packets {
            guard let frames = packet.payload.withBytes(in: window, { link.mapping.frames(of: $0) }) else {
                if !packet.lastPiece.isEmpty { queue(.garbage(packet.lastPiece)) }
                continue
            }
            measured.append(MeasuredPacket(packet: packet, distance: distance, frames: frames))
            distance += Int64(frames)
        }
        return measured
    }

    private mutating func endStream() {
        guard let link else { return }
        self.link?.isOver = true
        links.setFrames(link.clock.next, of: link.ordinal)
    }

    private mutating func returnTrack(of link: inout OggLink, end: Int64?) {
        guard !link.hasTrack || end != nil, var track = link.mapping.track else { return }
        link.hasTrack = true
        track.ordinal = link.ordinal
        track.end = end
        if link.mapping.trimsStart, let base = link.clock.base { track.start += max(0, -base) }
        queue(.track(track))
    }

    private mutating func returnPacket(_ packet: MeasuredPacket, _ link: inout OggLink, _ first: Int64) {
        let place = packet.packet.place
        let isPrepared = !link.mapping.needsPreparingPacket || !isAfterJump
        defer { link.previous = place }
        guard place.offset >= silentBefore else { return }
        isAfterJump = false
        let (start, end) = (first + packet.distance, first + packet.distance + Int64(packet.frames))
        // Reading must resume at the packet that prepares the decoder for this one.
        let returned = link.mapping.needsPreparingPacket && isPrepared && packet.frames > 0
        let resumption = returned ? link.previous ?? place : place
        let payload = packet.packet.payload
        queue(
            AudioPacket(
                frame: isPrepared ? start : end, frames: isPrepared ? packet.frames : 0, offset: place.offset,
                length: payload.count),
            payload,
            ContainerPoint(frame: isPrepared ? start : end, offset: resumption.offset, index: resumption.index))
    }
}

/// A packet with its duration.
struct MeasuredPacket {
    let packet: OggPacket
    /// The number of PCM frames before it in its page.
    let distance: Int64
    let frames: Int
}
