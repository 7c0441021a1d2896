// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import TrackReading

/// The reader of one item of the playlist: it finds the format in the first bytes, and then reads with the reader of
/// that format. Confined to the playback thread.
final class ItemReader {
    private(set) var item: PlaybackItem
    let source: any ByteSource
    /// `nil` while the format is unknown.
    private(set) var track: (any TrackReader)?
    private var search = TrackFormatSearch()
    /// The target chosen last; `nil` for the start of the item.
    private(set) var target: TimeTarget?
    /// The sound before that target; `nil` if the output does not fade in.
    private(set) var leadIn: LeadIn?
    private var hasReportedDamage = false
    /// The last packet from which estimated times counted.
    private var lastAnchor: TimeAnchor?
    private let kept: () -> KeptFrameIndex?
    private let noBlock = PCMBlock()

    /// - Parameter kept: returns an index made when the item was last read, if there is one.
    init(item: PlaybackItem, source: any ByteSource, kept: @escaping () -> KeptFrameIndex? = { nil }) {
        (self.item, self.source, self.kept) = (item, source, kept)
    }

    /// Reads the alternative of an item of which nothing was read.
    init(replacing reader: ItemReader, by alternative: any ItemSource, from source: any ByteSource) {
        (item, self.source, target) = (reader.item.replacing(alternative), source, reader.target)
        kept = { alternative.keptIndex() }
    }

    /// Continues in the version that replaced the version of another reader.
    init(goingOnFrom reader: ItemReader, to landing: VersionTransition.Landing, in crossing: VersionTransition) {
        (item, source, target, kept) = (reader.item, crossing.source, reader.target, { nil })
        let packet: Int64? = if case .packet(let packet) = landing { packet } else { nil }
        switch crossing.version {
        case .mpeg(let packets):
            track = reader.placedTrack.map {
                MPEGTrackReader(goingOnFrom: $0, Self.section(of: item, from: reader.target), at: packet, in: packets)
            }
        case .container(let version):
            let time = packet.flatMap(version.time(ofPacket:)).map(TimeTarget.time)
            // Without a place, a new reader of the track decides on the start.
            guard let goal = time ?? reader.goal else { break }
            version.seek(to: goal)
            track = version
        // Without a version there is no landing.
        case nil: break
        }
    }

    /// The target to continue at in another file; `nil` if a new reader decides on the start of the item.
    private var goal: TimeTarget? {
        guard let track = placedTrack else { return target }
        if let pending = track.pendingTarget { return pending == item.start ? target : pending }
        return .time((track.nextTime ?? track.requestedTime) + track.correction.time)
    }

    /// The track; `nil` before its timeline, because its header is incomplete or its first packet has not arrived.
    private var placedTrack: (any TrackReader)? { timeline == nil ? nil : track }

    private static func section(of item: PlaybackItem, from target: TimeTarget?) -> TrackSection {
        TrackSection(
            start: target ?? item.start ?? .time(.zero), end: item.end, skippedEnd: item.skippedEnd,
            leastDuration: target == nil ? item.leastDuration : nil, expectedDuration: item.expectedDuration)
    }

    /// Does a bounded amount of work.
    func step() -> TrackStep {
        if let track { return track.step() }
        switch search.step(source) {
        case .found(let format): open(format)
        case .progressed: break
        case .notYetAvailable: return .notYetAvailable
        case .lost(let failure): return .lost(failure)
        case .failed(let failure): return .failed(failure)
        }
        return .progressed
    }

    private func open(_ format: TrackFormat) {
        track = format.makeReader(source, Self.section(of: item, from: target), kept: kept)
        // Its bytes are no longer needed; many items can be open.
        search = TrackFormatSearch()
    }

    /// Returns the times of this version in the one that a later reader reads; `nil` if they are unknown.
    func times(in later: ItemReader) -> VersionTimes? {
        later.track.flatMap { track?.times(in: $0) }
    }

    /// - Parameter fade: the time in which the output fades in.
    func seek(to target: TimeTarget, fadingIn fade: Duration = .zero) {
        (self.target, lastAnchor) = (target, nil)
        // A reader without a track begins at the target.
        leadIn = track == nil || fade == .zero ? nil : LeadIn(before: target, in: duration, fade: fade)
        track?.seek(to: leadIn?.start ?? target)
    }

    /// Restarts at the start of `next`, which is the same item with the same start or another one.
    func restart(as next: PlaybackItem) {
        let endsElsewhere = next.skippedEnd != item.skippedEnd
        // The reader may read the alternative.
        item = item.source.map(next.replacing) ?? next
        (target, leadIn, lastAnchor) = (nil, nil, nil)
        let awaitsDuration = item.leastDuration != nil && timeline?.duration.unlessEstimated == nil
        if endsElsewhere || awaitsDuration {
            // A new reader of the track decides on the end, and on the start once the duration is known.
            (track, search) = (nil, TrackFormatSearch())
        }
        track?.seek(to: start)
    }

    /// Replaces the item by the same one, which starts and ends where it did.
    func update(_ next: PlaybackItem) { item = next }

    /// Returns the index of the whole item once, unless it was kept already.
    func removeIndexToStore() -> KeptFrameIndex? { (track as? MPEGTrackReader)?.removeIndexToStore() }

    /// Returns the first damage that was skipped or replaced with silence, once.
    func removeDamage() -> MediaFailure? {
        guard !hasReportedDamage, let damage = track?.damage ?? track?.silencedPacket else { return nil }
        hasReportedDamage = true
        return damage
    }

    /// The data to find this reader's position in another version; `nil` while the position is unknown.
    var origin: VersionOrigin? { track?.origin }

    /// The part of the item that a reader of another version reads, which begins with the first packet.
    var wholeSection: TrackSection { Self.section(of: item, from: .time(.zero)) }
}

/// The values and functions of the reader of the format.
extension ItemReader {
    var block: PCMBlock { track?.block ?? noBlock }
    var timeline: (any TrackTimeline)? { track?.timeline }
    /// The start of the item, as far as its duration is known.
    var start: TimeTarget { item.start(within: timeline?.duration) }
    var duration: MediaDuration { track?.duration ?? .unknown }
    var nextTime: Duration? { track?.nextTime }
    var requestedTime: Duration { (track?.requestedTime ?? .zero) + (leadIn?.time ?? .zero) }
    var isBeyondEnd: Bool { track?.isBeyondEnd ?? false }
    var correction: (time: Duration, isUnknown: Bool) { track?.correction ?? (.zero, false) }
    var anchor: TimeAnchor? { track?.anchor }

    /// Returns the correction of the times that count from a packet, once it is known and the packets after it are
    /// still being read.
    func removeCorrection() -> (anchor: TimeAnchor, time: Duration)? {
        if let anchor {
            lastAnchor = anchor
            return nil
        }
        guard let last = lastAnchor.take(), let track, track.isOnIsland, !track.correction.isUnknown else { return nil }
        return (last, track.correction.time)
    }
    var isOnIsland: Bool { track?.isOnIsland ?? false }
    var landingWait: LandingWait? { track?.landingWait }
    var readOffset: Int64 { track?.readOffset ?? search.readOffset }
    var wantedOffset: Int64 { track?.wantedOffset ?? search.readOffset }
    var isWholeIndexed: Bool { track?.isWholeIndexed ?? false }
    var statedGain: TrackGain? { track?.statedGain }
    var endsInsidePacket: Bool { track?.endsInsidePacket ?? false }

    func ends(before target: TimeTarget) -> Bool? { if let track { track.ends(before: target) } else { false } }
    func survey(isSoundDue: Bool) -> Bool { track?.survey(isSoundDue: isSoundDue) ?? false }
    func findChapters() -> ChapterList? { track?.findChapters() }
    func clearBlock() { block.removeAll() }
    func releaseDecoder() { track?.releaseDecoder() }
}
