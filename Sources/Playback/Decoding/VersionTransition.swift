// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import TrackReading

/// The transition from a version whose download ended early to the version that replaced it on the server.
///
/// In MPEG audio, the downloaded packets of the new version are indexed and compared with those of the old version
/// until the position of the content played last is known. Any other version continues at the same time. Confined to
/// the playback thread.
final class VersionTransition {
    /// The position at which playback continues in the new version.
    enum Landing: Equatable {
        /// The packet after the last one played: the content continues at the same word.
        case packet(Int64)
        /// The versions have no content in common, or cannot be compared: playback continues at the same time.
        case sameTime
    }

    let source: any ByteSource
    /// The reader of the new version; `nil` unless it is known to be MPEG audio.
    private(set) var packets: PacketReader?
    private var search = TrackFormatSearch()
    private var finder: (origin: VersionOrigin, value: ContinuationFinder)?
    /// True if the version is in a container.
    private var isContainer = false
    /// The reason why the new version cannot be played.
    private var failure: MediaFailure?

    init(to source: any ByteSource) { self.source = source }

    /// The offset of the next read.
    var readOffset: Int64 { packets?.readOffset ?? search.readOffset }

    /// The reason why no more bytes of the new version arrive without a retry.
    var loss: MediaFailure? {
        if let failure { return failure }
        guard !isWhole, case .failed(let failure) = source.downloadProgress.condition else { return nil }
        return failure
    }

    private var isWhole: Bool { packets?.isWholeIndexed == true || failure != nil }

    /// Indexes some of the downloaded bytes.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        guard failure == nil, !isContainer else { return false }
        guard let packets else { return identify() }
        guard packets.first == nil else { return packets.survey(budget: 1 << 20) }
        switch packets.step() {
        case .packet, .progressed: return true
        case .notYetAvailable, .lost: return false
        case .ended: failure = MediaFailure(.badData, "no audio found")
        case .failed(let reason): failure = reason
        }
        return false
    }

    private func identify() -> Bool {
        switch search.step(source) {
        case .found(.mpeg): packets = PacketReader(source: source, isCompared: true)
        case .found(.container): isContainer = true
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
        guard !isContainer else { return .sameTime }
        guard let packets, packets.first != nil else { return nil }
        guard let origin, let packet = origin.packet else { return .sameTime }
        if finder?.origin != origin {
            finder = (origin, ContinuationFinder(old: origin.hashes, packet: packet, first: origin.first))
        }
        switch finder?.value.extend(with: packets.hashes, isWhole: isWhole) {
        case .at(let packet): return .packet(packet)
        case .unrelated: return .sameTime
        case .notYet, nil: return isWhole ? .sameTime : nil
        }
    }
}
