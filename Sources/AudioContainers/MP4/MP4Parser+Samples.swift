// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The packets of a track without fragments.
extension MP4Parser {
    /// The time that is left in the loaded sizes when the next ones are read, in seconds.
    private static let leadTime: Int64 = 30

    /// True if the file consists of fragments, or may continue with them.
    package var isFragmented: Bool { walker?.movie.isFragmented ?? false }

    /// The decoded frames of all samples of `moov`.
    var declaredFrames: Int64 {
        guard let table, let trackBox, table.count > 0 else { return 0 }
        let omitted = table.omittedPreSkip?.time ?? 0
        return clock.packetFrames.map { $0 * table.count } ?? clock.frame(at: trackBox.duration + omitted)
    }

    /// Starts with the first sample of `moov`, or with the fragments after it.
    mutating func beginSamples() {
        if let table, table.count > 0 {
            phase = .samples
        } else {
            endSamples()
        }
    }

    mutating func beginLocating(_ goal: SampleLocator.Goal) {
        var checkpoint: SeekCheckpoints.Entry?
        if case .packet(let packet) = goal { checkpoint = checkpoints.last(atOrBeforeIndex: packet) }
        locator = SampleLocator(goal, checkpoint: checkpoint)
        phase = .locating
    }

    mutating func locate() throws(Interruption) {
        guard var search = locator, var table else { return endStream() }
        do throws(Interruption) {
            try search.locate(in: &table, from: window)
        } catch {
            (locator, self.table) = (search, table)
            throw error
        }
        (locator, self.table) = (nil, table)
        phase = .samples
    }

    mutating func deliverSample() throws(Interruption) {
        let isLow = (table?.loadedSizes ?? 0) <= lowSizes
        // The first packet does not wait for tags.
        if isLow, hasRest, hasReturnedPacket {
            phase = .movie
            return
        }
        if isLow, table?.nextSizes != nil {
            try table?.loadSizes(from: window)
            addCheckpoints()
        }
        guard let sample = try table?.current(in: window) ?? nil, let packet = table?.position.packet
        else { return endSamples() }
        let frame = clock.packetFrames.map { $0 * packet } ?? clock.frame(at: sample.time)
        let frames = clock.frames(from: sample.time, duration: sample.duration)
        if passes(frame, frames, sample) {
            table?.advance(past: sample)
            if case .offset(let offset) = skip { table?.skipAlike(before: offset) }
            return
        }
        if let description = table?.position.description, endsBefore(description, at: frame) { return }
        if try realign(sample) { return }
        let first = try emit(sample, at: frame, frames: frames, isLast: packet + 1 == table?.count) ?? frame
        pattern.end = (packet + 1, sample.offset + sample.size)
        point = ContainerPoint(frame: first, offset: walkerStart, index: packet)
        addCheckpoint(for: sample, packet, at: first)
        table?.advance(past: sample)
    }

    /// Adds the place of every 256th packet, and of the last one: fragments may follow it.
    private mutating func addCheckpoint(for sample: MediaSample, _ packet: Int64, at frame: Int64) {
        guard packet % SeekCheckpoints.interval == 0 || packet + 1 == table?.count else { return }
        checkpoints.insert(.init(frame: frame, offset: sample.offset, index: packet))
    }

    /// The offset of `moov`.
    private var walkerStart: Int64 { walker?.start ?? 0 }

    /// Continues after the last sample of `moov`.
    private mutating func endSamples() {
        guard isFragmented, let walker else { return endStream() }
        position = walker.end
        phase = .boxes
    }

    /// The number of loaded sizes that counts as low: those of 30 seconds, but at most a third of a block.
    private var lowSizes: Int64 {
        let packets = Self.leadTime * clock.rate / (clock.packetFrames ?? Self.typicalFrames)
        return min(packets, (table?.sizesPerBlock ?? 0) / 3)
    }

    private static let typicalFrames: Int64 = 960

    /// Adds the places of the loaded sizes, so that positions ahead are known.
    private mutating func addCheckpoints() {
        guard var table, let packetFrames = clock.packetFrames else { return }
        do throws(Interruption) {
            for _ in 0..<table.loadedSizes {
                guard let sample = try table.current(in: ByteWindow()) else { return }
                let packet = table.position.packet
                addCheckpoint(for: sample, packet, at: packet * packetFrames)
                table.advance(past: sample)
            }
        } catch {
            // The places of later chunks are not loaded.
            return
        }
    }

    public var prefetch: [ByteRange] {
        if phase == .fragmentSamples {
            let low = Self.leadTime * clock.rate / (clock.packetFrames ?? Self.typicalFrames)
            return fragmentSamples?.nextEntries(low: low).map { [$0] } ?? []
        }
        guard phase == .samples, let table, table.loadedSizes <= 2 * lowSizes else { return [] }
        let rest = walker.map { $0.position..<min($0.end, $0.position + Self.longestPrefetch) }
        return [table.nextSizes, hasRest ? rest : nil].compactMap { $0 }
    }

    private static let longestPrefetch: Int64 = 256 << 10

    // MARK: Packets

    /// Returns true if a sample lies before the place that was asked for; ends the skipping at the first that does not.
    mutating func passes(_ frame: Int64?, _ frames: Int64, _ sample: MediaSample) -> Bool {
        let isBefore: Bool
        switch skip {
        case .frame(let target): isBefore = frame.map { $0 + frames <= target } ?? false
        case .offset(let offset): isBefore = sample.offset < offset
        case .index, nil: return false
        }
        if !isBefore { skip = nil }
        return isBefore
    }

    /// Emits a sample as a packet, when its bytes are buffered.
    /// - Returns: its first frame.
    mutating func emit(
        _ sample: MediaSample, at start: Int64?, frames: Int64, isLast: Bool
    ) throws(Interruption) -> Int64? {
        guard sample.offset < ByteWindow.farthest else { throw .beyondEnd }
        let range = sample.offset..<sample.offset + sample.size
        let isDamaged = sample.size > longestPacket
        if isDamaged {
            // The file must reach that far: a few bytes may list billions of such samples.
            try window.require(range.lowerBound..<range.lowerBound + 1)
            pending.append(.garbage(range))
        }
        payload = isDamaged ? range.lowerBound..<range.lowerBound : range
        released = nil
        if !payload.isEmpty { try window.require(payload) }
        let place = number(sample, at: start, stated: frames, isLast: isLast)
        let packet = AudioPacket(
            frame: place.frame, frames: Int(place.frames), offset: sample.offset, length: payload.count)
        pending.append(.packet(packet))
        (hasReturnedPacket, hasLostFragment) = (true, false)
        boxesLeft = Self.mostBoxes
        return place.frame
    }

    /// The most bytes of a packet.
    var longestPacket: Int64 {
        switch track?.codec {
        case .aac(let config): Int64(config.longestPacket)
        case .flac: 1 << 20
        default: 64 << 10
        }
    }
}
