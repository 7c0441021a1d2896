// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension ADTSParser {
    /// The least distance of remembered packets in packets.
    private static let distance = SeekCheckpoints.interval

    /// Moves to the next byte at which a frame or a tag may begin, and examines it.
    mutating func search(since: Int64) throws(Interruption) {
        guard track != nil || position - since < Self.searchLimit else { return reject() }
        try window.require(position..<position + 1)
        guard
            let place = window.firstOffset(in: position..<window.end, where: { $0 == 0xFF || $0 == UInt8(ascii: "I") })
        else {
            position = window.end
            return
        }
        position = place
        if let header = try confirmedHeader(at: place) {
            reportGarbage(since..<place)
            phase = .synced(header.stream)
        } else if let length = try tagLength(at: place) {
            reportGarbage(since..<place)
            position = place + length
            phase = stream.map(Phase.synced) ?? .searching(since: position)
        } else {
            position += 1
        }
    }

    /// Reads a frame of the stream at `position`, or a tag; anything else is a loss of sync.
    mutating func readFrame(of stream: ADTSHeader.Stream) throws(Interruption) {
        guard let header = try header(at: position), header.stream == stream else { return try leaveSync() }
        let bytes = try window.bytes(header.length, at: position)
        guard let payloads = header.payloads(in: bytes) else {
            phase = .searching(since: position)
            position += 1
            return
        }
        if self.stream != stream, !begin(stream, bytes.dropFirst(header.headerLength)) { return }
        deliver(payloads, of: header)
        endsInsidePacket = false
        position += Int64(header.length)
    }

    private mutating func leaveSync() throws(Interruption) {
        let end = window.fileEnd ?? .max
        if position >= end {
            phase = .done
            isWhole = nextFrame != nil
        } else if let length = try tagLength(at: position) {
            position += length
        } else {
            phase = .searching(since: position)
        }
    }

    /// Announces the track of a stream.
    /// - Returns: false if Earshot cannot play it; the file is rejected then.
    private mutating func begin(_ stream: ADTSHeader.Stream, _ block: ArraySlice<UInt8>) -> Bool {
        let config: AACConfig
        do throws(CodecHeaderError) {
            config = try stream.config(block).assuming(foundConfig)
        } catch {
            refusal = error.failure
            fail(error.failure)
            return false
        }
        let isFirst = track == nil
        let track = AudioTrack(
            codec: .aac(config), format: config.format, preRoll: config.preRoll,
            ordinal: track.map { $0.ordinal + 1 } ?? 0)
        (self.track, self.stream) = (track, stream)
        if !isFirst, nextFrame != nil { nextFrame = 0 }
        (trackStart, frontier, checkpoints) = (position, (0, position), SeekCheckpoints())
        pending.append(.track(track))
        return true
    }

    private mutating func deliver(_ ranges: [Range<Int>], of header: ADTSHeader) {
        guard case .aac(let config) = track?.codec else { return }
        let frames = config.packetFrames * header.blocks / ranges.count
        var delivered: [ByteRange] = []
        for (index, range) in ranges.enumerated() {
            defer { nextFrame = nextFrame.map { $0 + Int64(frames) } }
            remember(config, isFirst: index == 0)
            if let skipFrame, let nextFrame, nextFrame + Int64(frames) <= skipFrame { continue }
            pending.append(
                .packet(AudioPacket(frame: nextFrame, frames: frames, offset: position, length: range.count)))
            points.append(nextFrame.map { ContainerPoint(frame: $0, offset: position, index: Int64(index)) })
            delivered.append(position + Int64(range.lowerBound)..<position + Int64(range.upperBound))
        }
        // The first entry is removed when the first of these packets is returned.
        if !delivered.isEmpty { payloads = [0..<0] + delivered }
        if let frame = nextFrame, frame > frontier.frame { frontier = (frame, position + Int64(header.length)) }
    }

    private mutating func remember(_ config: AACConfig, isFirst: Bool) {
        guard isFirst, let frame = nextFrame else { return }
        let step = Self.distance * Int64(config.packetFrames)
        if frame >= (checkpoints.entries.last?.frame ?? -step) + step {
            checkpoints.insert(.init(frame: frame, offset: position, index: 0))
        }
    }

    private mutating func reportGarbage(_ range: ByteRange) {
        if !range.isEmpty { pending.append(.garbage(range)) }
    }

    // MARK: The end

    /// Handles the end of the file before the bytes that the phase needs.
    mutating func endReached() {
        switch phase {
        case .searching(let since):
            let end = window.fileEnd ?? position
            guard track != nil else { return reject() }
            reportGarbage(since..<max(since, end))
            phase = .done
            isWhole = nextFrame != nil
        case .synced:
            endsInsidePacket = true
            phase = .searching(since: position)
            position += 1
        case .done: break
        }
    }

    private mutating func reject() {
        fail(MediaFailure(.badData, "no AAC audio found: no three consecutive ADTS headers"))
    }

    private mutating func fail(_ failure: MediaFailure) {
        pending.append(.failed(failure))
        phase = .done
    }
}
