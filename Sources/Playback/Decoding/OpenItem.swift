// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import Media
import TrackReading

/// An opened item on the way into the ring. Confined to the playback thread.
final class OpenItem {
    enum Phase {
        case reading
        /// The downloaded data is read, and the next bytes do not arrive without a retry, for this reason. The reason
        /// is `nil` while the version that replaced the one being read may continue the item.
        case atEndOfDownload(MediaFailure?)
        /// The item is read to its end.
        case ended
        case failed(MediaFailure)
    }

    private(set) var reader: ItemReader
    /// The generation of its frames. Not shared: a repeated item can be open twice.
    private(set) var generation: UInt32
    private(set) var phase = Phase.reading
    var frames = ItemFrames()
    /// True if the listener chose its start.
    private(set) var isStartChosen = false
    /// The transition to the version that replaced the one being read, after the downloaded data of that one ends.
    private(set) var crossing: VersionTransition?
    /// The loudness of the item, once it is needed, and its measurement.
    var loudness: ItemLoudness?
    /// The stored measurement of a file of the same length, which may be another version.
    var keptLoudness: KeptLoudness?
    /// The loudness that decides on the gain of the item, once it is needed, if its podcast has one gain.
    var podcastLoudness: ItemLoudness?
    var measurement: LoudnessMeasurer.Task?
    /// The source that cannot be played, and the reason, after its alternative replaced it.
    private var rejected: (source: any ByteSource, failure: MediaFailure)?
    /// The changes of times by the transitions so far; `nil` for an unknown change.
    private(set) var moves: [VersionTimes?] = []
    private let onBytes: @Sendable () -> Void

    /// - Parameter onBytes: called when bytes of another version arrive.
    init(_ reader: ItemReader, generation: UInt32, onBytes: @escaping @Sendable () -> Void = {}) {
        self.reader = reader
        self.generation = generation
        self.onBytes = onBytes
    }

    var item: PlaybackItem { reader.item }

    /// True if the rest of a hidden chapter plays: the listener chose to start in it, or left the item inside it.
    func plays(_ hidden: Range<Duration>) -> Bool {
        let chosen = reader.target ?? (item.isResumed ? nil : item.start)
        // The start is a time of the version in which it was chosen.
        let place = (chosen ?? item.fixedStart).map { moved($0, by: frames.changes(since: 0)) }
        guard let start = place?.position(within: reader.timeline?.duration), start > .zero else { return false }
        return chosen == nil ? hidden.isLeft(at: start) : hidden.contains(start)
    }

    /// True if nothing more is read.
    var isOver: Bool {
        switch phase {
        case .reading, .atEndOfDownload: false
        case .ended, .failed: true
        }
    }

    /// The reason why the next bytes do not arrive without a retry. The item stays open because some of it was
    /// played.
    var loss: MediaFailure? { frames.hasBegun ? missingBytes : nil }
    /// The reason why the first bytes do not arrive without a retry (`StartRetries`).
    var startLoss: MediaFailure? { frames.hasBegun ? nil : missingBytes }
    private var missingBytes: MediaFailure? { if case .atEndOfDownload(let failure) = phase { failure } else { nil } }

    /// Does a bounded amount of reading if there is any to do.
    /// - Returns: true if something was done.
    func step() -> Bool {
        guard !isOver, reader.block.frames == 0 else { return false }
        switch reader.step() {
        case .lost(let failure): return lose(failure)
        case .notYetAvailable:
            phase = .reading
            return false
        case .progressed: phase = .reading
        case .ended: phase = .ended
        case .failed(let failure): phase = isReplaced(after: failure) ? .reading : .failed(failure)
        }
        return true
    }

    private func lose(_ failure: MediaFailure) -> Bool {
        if crossing == nil, let successor = reader.source.claimSuccessor() { follow(successor) }
        guard crossing == nil else {
            // The transition itself determines whether that version is available.
            phase = .atEndOfDownload(loss)
            return false
        }
        guard !frames.hasBegun, !failure.mayBeOfNetwork else {
            phase = .atEndOfDownload(failure)
            return false
        }
        phase = isReplaced(after: failure) ? .reading : .failed(failure)
        return true
    }

    func fail(_ failure: MediaFailure) {
        reader.clearBlock()
        phase = .failed(failure)
    }

    /// Restarts at the target that the listener chose, as `generation`.
    /// - Parameter fade: the time in which the output fades in.
    func seek(
        to target: TimeTarget, fadingIn fade: Duration = .zero, as generation: UInt32, isAnnounced: Bool
    ) {
        isStartChosen = true
        reader.seek(to: target, fadingIn: fade)
        begin(as: generation, isAnnounced: isAnnounced)
    }

    /// Restarts at the start of `item`, which the listener did not choose, as `generation`.
    func restart(_ item: PlaybackItem, as generation: UInt32) {
        isStartChosen = false
        reader.restart(as: item)
        begin(as: generation, isAnnounced: false)
    }

    /// Applies other settings. An item that has begun, or whose start the listener chose, keeps its start and its end.
    func apply(_ settings: ItemSettings) {
        let changed = item.applying(settings, hasBegun: frames.hasBegun || isStartChosen)
        guard changed.start == item.start, changed.skippedEnd == item.skippedEnd else {
            return restart(changed, as: generation)
        }
        reader.update(changed)
    }

    private func begin(as generation: UInt32, isAnnounced: Bool) {
        self.generation = generation
        frames = ItemFrames(isAnnounced: isAnnounced)
        // A loss remains until the next step shows whether the target is downloaded.
        if isOver { phase = .reading }
    }

    /// The sound before the target of the last seek.
    var leadIn: LeadIn? { reader.leadIn }

    var shownTimes: ShownTimes { ShownTimes(leadIn: leadIn, correction: reader.correction.time) }

    // MARK: Frames in the ring

    /// The numbering of the frames that the reader reads; `nil` before the first block of another version.
    var numbering: FrameNumbering? {
        frames.isOutdated ? nil : FrameNumbering(generation: generation, version: frames.version)
    }

    /// Returns the run of the next `count` frames.
    func run(frames count: Int) -> FrameRun {
        FrameRun(
            generation: generation, item: item.id, version: frames.version, sourceFrame: frames.next ?? 0,
            frames: Int32(clamping: count), mark: frames.needsFirstMark ? .first : [])
    }

    /// Returns the run without frames that marks the end of the item.
    func endRun(in format: AudioFormat) -> FrameRun {
        let end = frames.next ?? reader.timeline?.duration.value.map(format.frames)
        return FrameRun(
            generation: generation, item: item.id, version: frames.version, sourceFrame: end ?? 0, frames: 0,
            mark: frames.needsFirstMark ? [.first, .last] : .last)
    }
}

extension MediaFailure {
    /// True if the same request may succeed when the network is back.
    var mayBeOfNetwork: Bool { kind == .unavailable || kind == .unknownHost }
}

// MARK: The version that replaced the one being read
extension OpenItem {
    /// The sources that the item reads from.
    var sources: [any ByteSource] { [reader.source] + [crossing?.source, rejected?.source].compactMap(\.self) }

    private func follow(_ successor: any ByteSource) {
        successor.onChange(onBytes)
        crossing?.source.close()
        crossing = VersionTransition(to: successor, reader.wholeSection)
    }

    /// Returns the target of the same sound in the version that is read.
    /// - Parameter count: the number of transitions since the version of the target; `nil` for all.
    func moved(_ target: TimeTarget, by count: Int? = nil) -> TimeTarget {
        moves.suffix(count ?? moves.count).reduce(target) {
            $0.moved(by: $1, newLength: reader.source.downloadProgress.total)
        }
    }

    /// Indexes more of the new version.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        guard let before = crossing else { return false }
        let (hasMore, wasOver) = (before.survey(), isOver)
        if case .atEndOfDownload = phase { phase = phase(afterLossOf: hasMore ? nil : lossOfCrossing()) }
        return hasMore || crossing !== before || isOver != wasOver
    }

    /// Returns the phase at the end of the download of the first version. Without a played sample, the loss of the new
    /// version is a failure of the item.
    private func phase(afterLossOf loss: MediaFailure?) -> Phase {
        guard let loss, !frames.hasBegun else { return .atEndOfDownload(loss) }
        return .failed(loss)
    }

    /// Returns the failure of the new version. If that version was replaced in turn, follows the replacement and
    /// returns `nil`.
    private func lossOfCrossing() -> MediaFailure? {
        // The failure is read first: the source sets the successor before it reports the failure.
        guard let crossing, let loss = crossing.loss else { return nil }
        guard let successor = crossing.source.claimSuccessor() else { return loss }
        follow(successor)
        return nil
    }

    /// Continues in the new version if the position in it is known.
    /// - Returns: the kind of the position, the source that is no longer used, and the differences of the versions.
    func cross() -> (mapping: VersionMapping, left: any ByteSource, change: VersionChange)? {
        guard let crossing, case .atEndOfDownload = phase, reader.block.frames == 0,
            let landing = crossing.landing(from: reader.origin)
        else { return nil }
        let (left, next) = (reader.source, ItemReader(goingOnFrom: reader, to: landing, in: crossing))
        let change = VersionChange(
            oldLength: left.downloadProgress.total, newLength: crossing.source.downloadProgress.total,
            times: landing == .sameTime ? nil : reader.times(in: next))
        moves.append(change.times)
        reader = next
        (self.crossing, phase) = (nil, .reading)
        frames.renumber()
        let mapping: VersionMapping =
            switch landing {
            case .sameTime: .time
            case .packet(0) where change.times == nil: .start
            case .packet: .word
            }
        return (mapping, left, change)
    }
}

// MARK: The alternative of an item that cannot be played
extension OpenItem {
    /// Continues with the alternative of the item, unless some of the item was played.
    /// - Returns: false if there is none.
    private func isReplaced(after failure: MediaFailure) -> Bool {
        guard failure.kind == .badData, !frames.hasBegun, rejected == nil,
            let alternative = reader.item.source?.alternative()
        else { return false }
        do throws(MediaFailure) {
            let source = try alternative.open()
            source.onChange(onBytes)
            rejected = (reader.source, failure)
            reader = ItemReader(replacing: reader, by: alternative, from: source)
            return true
        } catch {
            // The first failure is reported: the listener asked for that audio.
            return false
        }
    }

    /// Returns the source that the alternative replaced and the reason, once.
    func removeRejected() -> (source: any ByteSource, failure: MediaFailure)? { rejected.take() }
}
