// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

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
}
