// SPDX-License-Identifier: GPL-3.0-or-later
package import Media

/// A reader of one audio file that is complete or still arriving: bytes → trimmed PCM at the file's own rate.
/// Confined to one thread.
package protocol TrackReader: AnyObject {
    var source: any ByteSource { get }
    /// The decoded frames that were not taken yet; call `step` only while it is empty.
    var block: PCMBlock { get }
    /// What is known of the track; `nil` until its first packet is found.
    var timeline: (any TrackTimeline)? { get }
    /// The time of the next frame, if it is known.
    var nextTime: Duration? { get }
    /// The last target, and a flag that is true if it lies beyond the end, so that no frame is played.
    var requestedTime: Duration { get }
    var isBeyondEnd: Bool { get }
    /// The target that is not approached yet, because its time is unknown or too few packets are read.
    var pendingTarget: TimeTarget? { get }
    /// The difference to add to the time of `block` to make it exact, and a flag that is true while it is unknown,
    /// because bytes before the block are missing.
    var correction: (time: Duration, isUnknown: Bool) { get }
    /// The packet from which the estimated times count; `nil` if they are exact, or before the packet is found.
    var anchor: TimeAnchor? { get }
    /// True if the bytes before the ones being read are missing and the times are therefore estimates.
    var isOnIsland: Bool { get }
    /// The reason why the target waits for all bytes before it; `nil` if it does not.
    var landingWait: LandingWait? { get }
    /// The offset of the next read.
    var readOffset: Int64 { get }
    /// The offset to request next: `readOffset`, or that of a table that is needed soon while enough sound has arrived.
    var wantedOffset: Int64 { get }
    /// True if the whole track is indexed, so that its duration is exact.
    var isWholeIndexed: Bool { get }
    /// The gain that the file's own tags state, as far as they have arrived.
    var statedGain: TrackGain? { get }
    /// True if the file ends inside a packet.
    var endsInsidePacket: Bool { get }
    /// The first damage that was skipped where the format makes damage certain; `nil` for MPEG audio.
    var damage: MediaFailure? { get }
    /// The first packet that its codec rejected, or in MPEG audio the first one whose bit reservoir is lost: its frames
    /// are silence, and all others are in place.
    var silencedPacket: MediaFailure? { get }
    /// The data to find the position in another version; `nil` while the position is unknown, and if the packets cannot
    /// be compared.
    var origin: VersionOrigin? { get }

    /// Does a bounded amount of work.
    func step() -> TrackStep

    func seek(to target: TimeTarget)

    /// Returns true if the track is known to end before the target.
    /// - Returns: `nil` if that takes another call.
    func ends(before target: TimeTarget) -> Bool?

    /// Indexes some of the downloaded bytes, so that times become exact: immediately if a correction waits for it,
    /// otherwise gradually.
    /// - Parameter isSoundDue: true if the reader has packets to decode, which come first.
    /// - Returns: true if there is more to do immediately.
    func survey(isSoundDue: Bool) -> Bool

    /// Indexes up to this many of the downloaded bytes, also if the file states its length.
    /// - Returns: true if there is more to do immediately.
    func indexMore(_ budget: Int64) -> Bool

    /// Indexes the downloaded bytes if the format may change in them, so that `timeline.maximumFormat` covers them.
    /// - Parameter isSoundDue: true if a listener waits for the sound, so that only a fast search is possible.
    func findFormats(isSoundDue: Bool)

    /// Returns the chapters that the file states, as far as their bytes have arrived; `nil` if there are none. Requests
    /// no bytes.
    func findChapters() -> ChapterList?

    /// Returns the times of this version in a later one; `nil` if they are unknown.
    func times(in later: any TrackReader) -> VersionTimes?

    /// Releases the decoder; the index is kept for a seek back.
    func releaseDecoder()
}

extension TrackReader {
    /// The best known duration. The estimate may have changed since the position was estimated; it is not less than the
    /// time of the next frame and the rest of the file.
    package var duration: MediaDuration {
        guard let timeline else { return .unknown }
        guard isOnIsland, case .estimated(let value) = timeline.duration, let nextTime,
            let read = timeline.time(atByte: readOffset)
        else { return timeline.duration }
        return .estimated(max(value, nextTime + correction.time + max(.zero, value - read)))
    }

    /// Counts packets, which takes little time, if a target depends on them: those of a complete file for a part of its
    /// duration, because a part of an estimate may be far off, and the downloaded ones for a time that was an estimate.
    package func count(for target: TimeTarget?) {
        switch target {
        case .fraction? where source.downloadProgress.condition == .complete:
            switch timeline?.duration {
            case .exact?, .declared?: break
            case .estimated?, .unknown?, nil: while indexMore() {}
            }
        case .estimated?: while indexMore() {}
        case .time?, .fraction?, nil: break
        }
    }

    /// Returns a target, or the beginning if the target is the start of a section for which the track is too short.
    /// Counts the packets of a complete file that may be too short, unless its header states the duration of all of it.
    func startOrBeginning(_ target: TimeTarget, of section: TrackSection) -> TimeTarget {
        guard let least = section.leastDuration, target == section.start,
            case let likely = timeline?.duration.value ?? section.expectedDuration ?? .zero, likely < least * 2
        else { return target }
        if source.downloadProgress.condition == .complete {
            findFormats(isSoundDue: false)
            if timeline?.duration.unlessEstimated == nil { while indexMore() {} }
        }
        // Another stream may follow that of a FLAC file that is not complete. Its introduction is then played; if the
        // header did not decide, that of each short file would be skipped.
        guard let duration = timeline?.duration.unlessEstimated, duration < least else { return target }
        return .time(.zero)
    }

    /// Returns true if a saved estimate waits for the packet from which it counts, because that is not read yet. A
    /// target long before the packet, whose bytes may arrive much earlier, plays at its estimated time.
    /// - Parameter offset: the byte that is read.
    func awaitsAnchor(of target: TimeTarget?, at offset: Int64) -> Bool {
        let progress = source.downloadProgress
        guard case .estimated(let time, let anchor)? = target, anchor.totalLength == progress.total,
            offset < anchor.offset
        else { return false }
        return anchor.time - time <= .seconds(30) || progress.extents.contains(offset..<anchor.offset)
    }

    /// Indexes more of the downloaded bytes than `survey` does.
    /// - Returns: true if there is more to do immediately.
    package func indexMore() -> Bool { indexMore(64 << 20) }

    /// Counts some packets of a complete file if its end is skipped: otherwise, a fast output may reach the end before
    /// the duration is known. It is not needed for the first sound, because at most a third of an item is skipped. A
    /// call for each packet in the second quarter of the file counts all of them before the end.
    /// - Parameter offset: the byte that is read.
    func countForSkippedEnd(of section: TrackSection, at offset: Int64) {
        // The timeline comes last, because each call creates it.
        guard section.end == nil, section.skippedEnd != nil, source.downloadProgress.condition == .complete,
            let total = source.downloadProgress.total, offset >= total / 4
        else { return }
        if case .exact = timeline?.duration { return }
        _ = indexMore(max(512 << 10, total / 256))
    }

    /// The number of bytes to index in one survey.
    func surveyBudget(isSoundDue: Bool) -> Int64 {
        if correction.isUnknown { return 1 << 20 }
        guard isSoundDue else { return 256 << 10 }
        // Sound may start sooner on a fast link if the bit rate is known.
        let isRateUnknown = timeline?.byteRate(total: source.downloadProgress.total, expected: nil) == nil
        return isRateUnknown ? 64 << 10 : 0
    }
}

/// A reason why a target waits for all bytes before it.
package enum LandingWait: Equatable {
    /// The server can only send from the beginning.
    case serverSendsInOrder
    /// Another process downloads the file, and stores its bytes in their order.
    case followsAnother
    /// The server has another version by now; the connection that sends this one continues.
    case serverHasNewerVersion
    /// The index of the file is at its end, and the server can only send from the beginning.
    case indexIsLast
    /// The file has no index, and its packets do not state their times.
    case fileHasNoIndex

    init(_ cause: DownloadProgress.InOrderCause) {
        switch cause {
        case .server: self = .serverSendsInOrder
        case .otherProcess: self = .followsAnother
        case .newerVersion: self = .serverHasNewerVersion
        }
    }
}

/// The result of one step of reading.
package enum TrackStep: Equatable {
    /// A step was made; the block may contain frames.
    case progressed
    /// The next byte is not yet available.
    case notYetAvailable
    /// The track is read to its end.
    case ended
    /// The next byte does not arrive without a retry; reading can continue once it arrives.
    case lost(MediaFailure)
    case failed(MediaFailure)
}

/// The part of a track to read.
package struct TrackSection: Sendable, Equatable {
    package var start: TimeTarget
    /// The time to stop at; `nil` for the end.
    package var end: TimeTarget?
    /// The end to skip if `end` is `nil`.
    package var skippedEnd: SkippedEnd?
    /// The duration below which the section begins with the track rather than at `start`, until a seek; `nil` for none.
    package var leastDuration: Duration?
    /// The duration that the whole track is expected to have, from which estimates are made.
    package var expectedDuration: Duration?
    /// True if a seek must wait for missing bytes rather than land at an estimated place.
    package var isExact: Bool

    package init(
        start: TimeTarget = .time(.zero), end: TimeTarget? = nil, skippedEnd: SkippedEnd? = nil,
        leastDuration: Duration? = nil, expectedDuration: Duration? = nil, isExact: Bool = false
    ) {
        (self.start, self.end, self.expectedDuration, self.isExact) = (start, end, expectedDuration, isExact)
        (self.skippedEnd, self.leastDuration) = (skippedEnd, leastDuration)
    }

    /// Returns true if the time to stop at must be computed, because it is unknown, or a part of a duration that may
    /// have changed.
    func needsLimit(after limit: Duration?) -> Bool {
        if case .fraction? = end { return true }
        return limit == nil && (end != nil || skippedEnd != nil)
    }

    /// Returns the time to stop at, if it is known.
    /// - Parameter position: the position of the reader, or its target.
    func limit(in timeline: any TrackTimeline, from position: Duration) -> Duration? {
        guard let end else { return skippedEnd?.stop(in: timeline.duration, from: position) }
        // Without the length of the file, a stated duration may be that of the first of several joined files.
        if case .fraction = end, case .estimated = timeline.duration, timeline.totalLength == nil { return nil }
        return timeline.time(of: end)
    }
}

/// A block of trimmed frames with the position of the first one.
package final class PCMBlock {
    private var buffer = PCMBuffer(format: AudioFormat(sampleRate: 44100, channels: 2), capacity: 0)
    /// The number of the first frame in the track, and its time.
    package private(set) var start: Int64 = 0
    package private(set) var time = Duration.zero

    /// The maximum number of frames of one step of any reader.
    package static let maximumFrames = 1 << 16

    package init() {}

    package var format: AudioFormat { buffer.format }
    package var frames: Int { buffer.frames }
    /// The samples, valid until the next change of the block.
    package var samples: UnsafeBufferPointer<Float> { buffer.samples }

    package func removeAll() { buffer.removeAll() }

    /// Prepares the empty block for frames of a format.
    func reserve(_ format: AudioFormat, capacity: Int) {
        guard buffer.format != format || buffer.capacity < capacity else { return }
        buffer = PCMBuffer(format: format, capacity: capacity)
    }

    /// Appends samples; the position counts if the block is empty.
    func append(_ samples: UnsafeBufferPointer<Float>, at frame: Int64, time: Duration) {
        if buffer.frames == 0 { (start, self.time) = (frame, time) }
        buffer.append(samples)
    }
}

extension MediaFailure {
    /// - Parameter offset: the place in the file.
    static func damage(at offset: Int64) -> MediaFailure {
        MediaFailure(.badData, "the file is damaged at byte \(offset)")
    }
}
