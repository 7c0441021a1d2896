// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import TrackReading

/// The transition from a version whose download ended early to the version that replaced it on the server.
///
/// The downloaded packets of the new version are indexed and compared with those of the old version until the
/// position of the content played last is known. Confined to the playback thread.
final class VersionTransition {
    /// The position at which playback continues in the new version.
    enum Landing: Equatable {
        /// The packet after the last one played: the content continues at the same word.
        case packet(Int64)
        /// The versions have no content in common: playback continues at the same time.
        case sameTime
    }

    /// The reader of the new version.
    let packets: PacketReader
    private var finder: (origin: VersionOrigin, value: ContinuationFinder)?
    /// True if no packet was found in the new version.
    private var hasEnded = false

    init(to source: any ByteSource) {
        packets = PacketReader(source: source, isCompared: true)
    }

    var source: any ByteSource { packets.source }

    /// The reason why no more bytes of the new version arrive without a retry.
    var loss: MediaFailure? {
        if hasEnded { return MediaFailure(.badData, "no MP3 audio found; Earshot plays only MP3 so far") }
        guard !isWhole, case .failed(let failure) = source.downloadProgress.condition else { return nil }
        return failure
    }

    private var isWhole: Bool { packets.isWholeIndexed || hasEnded }

    /// Indexes some of the downloaded bytes.
    /// - Returns: true if there is more to do immediately.
    func survey() -> Bool {
        guard packets.first == nil else { return packets.survey(budget: 1 << 20) }
        switch packets.step() {
        case .packet, .progressed: return true
        case .notYetAvailable, .lost: return false
        case .ended, .failed:
            hasEnded = true
            return false
        }
    }

    /// Returns the position to continue at.
    /// - Parameter origin: the position in the old version; `nil` if it is unknown.
    /// - Returns: `nil` while more bytes are needed to decide.
    func landing(from origin: VersionOrigin?) -> Landing? {
        guard packets.first != nil else { return nil }
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
