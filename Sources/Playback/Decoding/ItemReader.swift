// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import TrackReading

/// The reader of one item of the playlist. Confined to the playback thread.
final class ItemReader {
    let item: PlaybackItem
    private(set) var track: any TrackReader

    /// - Parameter kept: returns an index made when the item was last read, if there is one.
    init(item: PlaybackItem, source: any ByteSource, kept: @escaping () -> KeptFrameIndex? = { nil }) {
        self.item = item
        track = MPEGTrackReader(source, Self.section(of: item), kept: kept)
    }

    /// Continues in the version that replaced the version of another reader.
    init(goingOnFrom reader: ItemReader, to landing: VersionTransition.Landing, in crossing: VersionTransition) {
        item = reader.item
        let packet: Int64? = if case .packet(let packet) = landing { packet } else { nil }
        track = MPEGTrackReader(
            goingOnFrom: reader.track, Self.section(of: item), at: packet, in: crossing.packets)
    }

    private static func section(of item: PlaybackItem) -> TrackSection {
        TrackSection(start: item.start ?? .time(.zero), end: item.end, claimedDuration: item.claimedDuration)
    }

    /// Returns the index of the whole item once, unless it was kept already.
    func removeIndexToStore() -> KeptFrameIndex? { (track as? MPEGTrackReader)?.removeIndexToStore() }

    /// The data to find this reader's position in another version; `nil` while the position is unknown.
    var origin: VersionOrigin? { (track as? MPEGTrackReader)?.origin }
}

/// The values and functions of the reader of its format.
extension ItemReader {
    var source: any ByteSource { track.source }
    var block: PCMBlock { track.block }
    var timeline: (any TrackTimeline)? { track.timeline }
    var nextTime: Duration? { track.nextTime }
    var requestedTime: Duration { track.requestedTime }
    var isBeyondEnd: Bool { track.isBeyondEnd }
    var correction: (time: Duration, isUnknown: Bool) { track.correction }
    var isOnIsland: Bool { track.isOnIsland }
    var mustWaitForLanding: Bool { track.mustWaitForLanding }
    var readOffset: Int64 { track.readOffset }
    var isWholeIndexed: Bool { track.isWholeIndexed }

    func step() -> TrackStep { track.step() }
    func seek(to target: TimeTarget) { track.seek(to: target) }
    func ends(before target: TimeTarget) -> Bool { track.ends(before: target) }
    func survey() -> Bool { track.survey() }
    func indexMore() -> Bool { track.indexMore() }
    func clearBlock() { track.block.removeAll() }
    func releaseDecoder() { track.releaseDecoder() }
}
