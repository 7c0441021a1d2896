// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Reading `moov`, all of it or only what the first packets need.
extension MP4Parser {
    /// The walk leaves `moov` early if more bytes of it are unread.
    private static let smallRest: Int64 = 32 << 10

    mutating func walkMovie() throws(Interruption) {
        try readSkippedEntries()
        guard try walker?.step(in: window) == true else {
            if purpose == .packets, table == nil { leaveEarly() }
            return
        }
        guard let walker else { return }
        position = walker.end
        reportTags(walker.movie.tags)
        if purpose == .tags { return beginChapters(walker.movie) }
        if purpose == .gain { return phase = .done }
        guard table == nil else { return resumeAfterMovie(walker.movie) }
        try readOmissions(walker.movie)
        start(walker.movie)
    }

    /// Reads the durations of the samples if the file may have been joined from several.
    private mutating func readOmissions(_ movie: MovieBox) throws(Interruption) {
        guard omissions == nil else { return }
        joinedParts = joinedParts ?? movie.audio.flatMap { movie.isFragmented ? nil : JoinedParts($0) }
        omissions = try joinedParts?.read(from: window) ?? []
        joinedParts = nil
    }

    // MARK: The first packets

    /// Starts with the tables read so far, if the rest of `moov` is long and not needed yet. Without an edit list, the
    /// trimming may be stated in a tag after the tables.
    private mutating func leaveEarly() {
        guard let walker, walker.end - walker.readEnd > Self.smallRest, let open = walker.track, open.isPlayable,
            open.isEnabled, open.hasSizes, open.edits != nil, !walker.movie.isFragmented, JoinedParts(open) == nil,
            !walker.movie.tracks.contains(where: \.isPlayable)
        else { return }
        if open.samples.offsets != nil {
            start(open, in: walker.movie)
        } else if prediction == nil, walker.movie.nextTrackID == 2, walker.movie.trackCount == 0, open.isAAC {
            prediction = SampleTable(open.samples, readsTimes: false)
            position = walker.end
            phase = .predicting
        }
    }

    /// Continues with the rest of `moov`, without a gap: a server that answered the request for the first packet with
    /// other bytes may do so again, and shows it where a request overlaps the bytes before.
    mutating func readMovieInOrder() {
        orderedEnd = walker?.readEnd
        phase = .movie
    }

    private mutating func readSkippedEntries() throws(Interruption) {
        guard let walker, var end = orderedEnd else { return }
        while end < walker.position {
            end += Int64(try window.available(end..<min(walker.position, end + Self.orderedBlock)).count)
            orderedEnd = end
        }
    }

    private static let orderedBlock: Int64 = 16 << 10

    /// Finds the first packet without `stco`. The only track of a file begins at the start of `mdat`, before or after
    /// `moov`, which the ends of the first packets confirm; `stco` verifies it later.
    mutating func predict() throws(Interruption) {
        if let firstData {
            try startPrediction(at: firstData)
        } else {
            try findData()
        }
    }

    /// Reads the header of a box after `moov`.
    private mutating func findData() throws(Interruption) {
        guard let box = try window.box(at: position, before: ByteWindow.farthest), box.type.isPrintable,
            box.type != "moof", boxesLeft > 0
        else { throw .damaged }
        boxesLeft -= 1
        if box.type == "mdat" { firstData = box.body }
        position = box.end
    }

    private mutating func startPrediction(at offset: Int64) throws(Interruption) {
        prediction?.predictedStart = offset
        guard let walker, let open = walker.track, let prediction, try areRawDataBlocks(from: offset, in: prediction)
        else { throw .damaged }
        start(open, in: walker.movie, table: prediction)
    }

    /// Returns true if the bytes from `start` on end like AAC packets of the sizes of the table.
    private func areRawDataBlocks(from start: Int64, in table: SampleTable) throws(Interruption) -> Bool {
        var table = table
        var end = start
        for _ in 0..<Self.checkedPackets {
            guard let sample = try table.current(in: window) else { break }
            guard sample.size >= 2, sample.size <= Self.longestPlausiblePacket else { return false }
            table.advance(past: sample)
            end += sample.size
            guard RawDataBlockPattern.ends(try window.bytes(Int(end - start), at: start)) else { return false }
        }
        return end > start
    }

    private static let checkedPackets = 12
    private static let longestPlausiblePacket: Int64 = 8 << 10

    /// Chooses the audio track after the whole of `moov`.
    private mutating func start(_ movie: MovieBox) {
        if let box = movie.audio, !box.lacksPlaces { return start(box, in: movie) }
        if let damage = movie.damage { return fail(damage.reason) }
        refusal = movie.rejection
        fail(refusal?.reason ?? "the index of this MP4 file (moov) is empty")
    }

    /// Starts with the part of `moov` that the file contains.
    mutating func startWithCutMovie() {
        let (movie, open) = (walker?.movie, walker?.track)
        walker = nil
        guard let movie, let box = movie.audio ?? open, box.isPlayable, box.samples.offsets != nil,
            purpose == .packets
        else { return fail(MovieBox.damaged.reason) }
        start(box, in: movie)
    }

    /// Announces the track and moves to its first packet.
    private mutating func start(_ box: TrackBox, in movie: MovieBox, table known: SampleTable? = nil) {
        guard var codec = box.description?.codec else { return }
        guard !hasForgedSizes(box.samples, codec) else { return fail(MovieBox.damaged.reason) }
        if case .aac(let config) = codec { codec = .aac(config.assuming(foundConfig ?? implicitSBR(config, box))) }
        clock = TrackClock(codec, timescale: box.timescale)
        trackBox = box
        if rejectsHEAAC(lasting: box.usualDuration) { return }
        table = known ?? SampleTable(box.samples, readsTimes: clock.packetFrames == nil)
        if let preSkip = OmittedPreSkip(box, clock) {
            table?.omittedPreSkip = preSkip
            omissions = [0..<preSkip.time]
        }
        let track = audioTrack(codec, box, movie)
        self.track = track
        pending.append(.track(track))
        nextFrame = table.map { $0.count > 0 } ?? false ? declaredFrames : 0
        beginSamples()
    }

    private func audioTrack(_ codec: AudioCodec, _ box: TrackBox, _ movie: MovieBox) -> AudioTrack {
        // A duration of 0 is an unknown one.
        let total = movie.isFragmented || declaredFrames == 0 ? nil : declaredFrames
        return AudioTrack(codec, box, movie, clock, total: total, omissions: omissions ?? [])
    }

    /// True if all packets have one size that no encoder writes, or are more than those of a month. Such a table would
    /// be played as days of damage.
    private func hasForgedSizes(_ samples: SampleTable.Boxes, _ codec: AudioCodec) -> Bool {
        if case .pcm = codec { return false }
        guard samples.constantSize > 0 else { return false }
        return samples.sampleCount > (samples.constantSize < 4 ? 10_000 : 100_000_000)
    }

    /// Returns the configuration with SBR if the track's times count twice the rate of the core.
    private func implicitSBR(_ config: AACConfig, _ box: TrackBox) -> AACConfig? {
        box.timescale == Int64(config.coreSampleRate) * 2 && config.coreSampleRate <= 24000
            ? config.withImplicitSBR : nil
    }

    // MARK: The rest of `moov`

    /// True if a part of `moov` is unread.
    var hasRest: Bool { walker.map { $0.position < $0.end } ?? false }

    /// Continues after the rest of `moov` is read.
    private mutating func resumeAfterMovie(_ movie: MovieBox) {
        if let box = movie.tracks.first(where: { $0.id == trackBox?.id }) {
            trackBox = box
            updateEnd(box, movie)
            if table?.offsets == nil, let offsets = box.samples.offsets { verify(offsets) }
        }
        resume()
    }

    /// Continues although the rest of `moov` is missing.
    mutating func continueWithoutRest() {
        walker = nil
        resume()
    }

    private mutating func resume() {
        guard let goal else {
            phase = locator == nil ? .samples : .locating
            return
        }
        self.goal = nil
        beginLocating(goal)
    }

    /// Reports a more exact end of the track.
    private mutating func updateEnd(_ box: TrackBox, _ movie: MovieBox) {
        guard let track else { return }
        let update = audioTrack(track.codec, box, movie)
        guard update.end != track.end, update.start == track.start else { return }
        self.track = update
        pending.append(.track(update))
    }

    /// Replaces the predicted place of the packets by that of `stco`.
    private mutating func verify(_ offsets: FileTable) {
        table?.offsets = offsets
        checkpoints = SeekCheckpoints()
        if let packet = table?.position.packet, goal == nil { locator = SampleLocator(.packet(packet)) }
    }

    /// Reports tags that were not reported before.
    private mutating func reportTags(_ tags: MP4Tags) {
        if tags.metadata != reportedTags.metadata { pending.append(.metadata(tags.metadata)) }
        if tags.chapters != reportedTags.chapters {
            pending.append(.chapters(ContainerChapters(ChapterList(.inFile, tags.chapters))))
        }
        if let gain = tags.gains.gain, tags.gains != reportedTags.gains { pending.append(.gain(gain)) }
        reportedTags = tags
    }
}

extension TrackBox {
    /// True if the table of the places of the samples is missing or damaged.
    fileprivate var lacksPlaces: Bool {
        samples.offsets == nil && SampleTable(samples, readsTimes: false).map { $0.count > 0 } ?? false
    }

    /// The duration of the most samples in the loaded entries of `stts`; `nil` without one.
    fileprivate var usualDuration: Int64? {
        guard let times = samples.times else { return nil }
        let entry = times.loaded.max { times.number(at: $0, length: 4) < times.number(at: $1, length: 4) }
        return entry.map { times.number(at: $0, byte: 4, length: 4) }
    }

    fileprivate var isAAC: Bool {
        if case .aac? = description?.codec { true } else { false }
    }
}

extension AudioTrack {
    /// - Parameters:
    ///   - total: the frames that the sample table lists; `nil` if unknown.
    ///   - omissions: the parts of the media that the sample durations omit.
    fileprivate init(
        _ codec: AudioCodec, _ box: TrackBox, _ movie: MovieBox, _ clock: TrackClock, total: Int64?,
        omissions: [Range<Int64>]
    ) {
        let trimming = MP4Trimming(
            box, movieTimescale: movie.timescale, gapless: movie.tags.gapless, clock: clock, codec: codec, total: total,
            omissions: omissions)
        var format = AudioFormat(sampleRate: Int(clock.rate), channels: 2)
        var preRoll: Int64 = 0
        switch codec {
        case .aac(let config): (format, preRoll) = (config.format, config.preRoll)
        case .opus(let head): (format, preRoll) = (head.format, OpusHead.preRoll)
        case .flac(let info): format = info.format
        case .vorbis, .pcm: break
        }
        self.init(
            codec: codec, format: format, start: trimming.start, end: trimming.end, cuts: trimming.cuts,
            preRoll: preRoll)
    }
}
