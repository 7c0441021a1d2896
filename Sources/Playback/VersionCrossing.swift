// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The way from a version that ends before its time into the one that took its place on the server.
///
/// What arrives of the new version is indexed and compared, packet by packet, with what is there of the old one, until
/// it is clear where the content goes on that was heard last. Confined to the playback thread.
final class VersionCrossing {
    /// Where playback goes on in the new version.
    enum Landing: Equatable {
        /// The packet behind the last one heard: the content goes on at the same word.
        case packet(Int64)
        /// The two have nothing in common: only the time can be the same.
        case sameTime
    }

    /// Of the new version.
    let packets: PacketReader
    private var finder: (origin: VersionOrigin, value: ContinuationFinder)?
    /// No packet was found in it.
    private var hasEnded = false

    init(to source: any ByteSource) {
        packets = PacketReader(source: source, isCompared: true)
    }

    var source: any ByteSource { packets.source }

    /// Why no further byte of the new version comes by itself.
    var loss: MediaFailure? {
        if hasEnded { return MediaFailure(.badData, "no MP3 audio was found in it") }
        guard !isWhole, case .failed(let failure) = source.arrival.condition else { return nil }
        return failure
    }

    private var isWhole: Bool { packets.isWholeIndexed || hasEnded }

    /// Indexes some of what has arrived.
    /// - Returns: whether there is more to do at once.
    func survey() -> Bool {
        guard packets.first == nil else { return packets.survey(budget: 1 << 20) }
        switch packets.step() {
        case .packet, .worked: return true
        case .edge, .lost: return false
        case .ended, .failed:
            hasEnded = true
            return false
        }
    }

    /// - Parameter origin: the place to leave, in the old version; `nil` where nothing of it is left.
    /// - Returns: `nil` while more has to arrive before it can be told.
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

/// A place in a version that is left.
struct VersionOrigin: Equatable {
    /// The packet to go on with, counted from the first one hashed; `nil` where that is not among those that are there.
    let packet: Int64?
    /// Of what is there of the version, on end.
    let hashes: PacketHashes
    /// About how many packets lie in front of those.
    let first: Int64
}
