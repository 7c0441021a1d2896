// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

extension ItemReader {
    /// The reason why the item may be incomplete although it was read to its end: the server gave no length, and the
    /// item is shorter than expected or ends inside a packet. `nil` if the item appears complete.
    var possibleTruncation: MediaFailure? {
        guard let unverified = source.downloadProgress.unverified, let total = source.downloadProgress.total else {
            return nil
        }
        if let promised = unverified.declaredLength {
            let sent = "sent \(total) of \(promised) bytes"
            return MediaFailure(
                .badData, "the episode may be incomplete: the server gave no length and \(sent)")
        }
        guard endsInsidePacket else { return nil }
        return MediaFailure(
            .badData, "the episode may be incomplete: the server gave no length, and the last packet is truncated")
    }

    private var endsInsidePacket: Bool {
        guard let frontier = timeline?.packets.index.frontier else { return false }
        var word: UInt32 = 0
        guard case .data(4) = withUnsafeMutableBytes(of: &word, { source.read(at: frontier.offset, into: $0) }) else {
            return false
        }
        return MPEGFrameHeader(word.bigEndian)?.matches(frontier.format) ?? false
    }

    /// Returns true if the item is known to end before the target.
    func ends(before target: TimeTarget) -> Bool {
        guard let timeline, let time = timeline.time(of: target) else { return false }
        return timeline.ends(before: time, source.downloadProgress, claimed: item.claimedDuration)
    }
}
