// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import TrackReading

/// The transition from a version whose download ended early to the version that replaced it on the server.
///
/// The downloaded packets of the new version are indexed and compared with those of the old version until the position
/// of the content played last is known. A version in another codec, and PCM, continue at the same time. Confined to the
/// playback thread.
final class VersionTransition {
    /// The position at which playback continues in the new version.
    enum Landing: Equatable {
        /// The packet after the last one played: the content continues at the same word.
        case packet(Int64)
        /// The versions have no content in common, or cannot be compared: playback continues at the same time.
        case sameTime
    }

    /// The reader of the new version.
    enum Version {
        case mpeg(PacketReader)
        case container(ContainerTrackReader)
    }

    let source: any ByteSource
    private let section: TrackSection
    /// `nil` while the format of the new version is unknown.
    private(set) var version: Version?
    private var search = TrackFormatSearch()
    private var finder: (origin: VersionOrigin, value: ContinuationFinder)?
    /// The reason why the new version cannot be played.
    private var failure: MediaFailure?

    /// - Parameter section: the part to read if the new version is in a container.
    init(to source: any ByteSource, _ section: TrackSection) { (self.source, self.section) = (source, section) }

    /// The offset of the next read.
    var readOffset: Int64 {
        switch version {
        case .mpeg(let packets): packets.readOffset
        case .container(let reader): reader.surveyOffset
        case nil: search.readOffset
        }
    }

    /// The reason why no more bytes of the new version arrive without a retry.
    var loss: MediaFailure? {
        if let failure { return failure }
        guard !isWhole, case .failed(let failure) = source.downloadProgress.condition else { return nil }
        return failure
    }

    private var isWhole: Bool {
        switch version {
        case .mpeg(let packets): packets.isWholeIndexed || failure != nil
        case .container(let reader): reader.isWholeIndexed || failure != nil
        case nil: failure != nil
        }
    }

    /// Indexes some of the downloaded bytes.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        guard failure == nil else { return false }
        switch version {
        case .mpeg(let packets): return packets.first == nil ? begin(packets) : packets.survey(budget: 1 << 20)
        case .container(let reader): return reader.timeline == nil ? begin(reader) : reader.indexMore(1 << 20)
        case nil: return identify()
        }
    }

    private func begin(_ packets: PacketReader) -> Bool {
        switch packets.step() {
        case .packet, .progressed: return true
        case .notYetAvailable, .lost: return false
        case .ended: failure = MediaFailure(.badData, "no audio found")
        case .failed(let reason): failure = reason
        }
        return false
    }

    private func begin(_ reader: ContainerTrackReader) -> Bool {
        switch reader.step() {
        case .progressed: return true
        case .notYetAvailable, .lost: return false
        case .ended: failure = MediaFailure(.badData, "no audio found")
        case .failed(let reason): failure = reason
        }
        return false
    }

    private func identify() -> Bool {
        switch search.step(source) {
        case .found(.mpeg): version = .mpeg(PacketReader(source: source, isCompared: true))
        case .found(.container(let kind)):
            version = .container(ContainerTrackReader(kind, source, section, isCompared: true))
        case .progressed: break
        case .notYetAvailable, .lost: return false
        case .failed(let reason):
            failure = reason
            return false
        }
        return true
    }

    /// Returns the position to continue at.
    /// - Parameter origin: the position in the old version; `nil` if it is unknown.
    /// - Returns: `nil` while more bytes are needed to decide.
    func landing(from origin: VersionOrigin?) -> Landing? {
        guard let (coding, hashes) = compared else { return nil }
        guard let origin, let packet = origin.packet, coding == origin.coding else { return .sameTime }
        if finder?.origin != origin {
            finder = (
                origin,
                ContinuationFinder(old: origin.hashes, packet: packet, first: origin.first, limits: origin.limits)
            )
        }
        switch finder?.value.extend(with: hashes, isWhole: isWhole) {
        case .at(let packet): return .packet(packet)
        case .unrelated: return .sameTime
        case .notYet, nil: return isWhole ? .sameTime : nil
        }
    }

    /// The codec of the new version, and the hashes of its packets; `nil` before its first packet.
    private var compared: (coding: PacketCoding?, hashes: PacketHashes)? {
        switch version {
        case .mpeg(let packets): packets.first.map { _ in (.mpeg, packets.hashes) }
        case .container(let reader): reader.timeline.map { _ in (reader.coding, reader.hashes) }
        case nil: nil
        }
    }
}
