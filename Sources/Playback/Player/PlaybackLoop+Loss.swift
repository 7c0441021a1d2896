// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The end of the downloaded data of an item whose download has failed.
extension PlaybackLoop {
    /// The time in which the download starts again after a request.
    private static let requestTime = Duration.seconds(1)

    /// Reports the loss or the recovery of the item being read. Items opened ahead are not affected.
    func updateLoss() {
        guard let item = audio.readingItem, let failure = item.loss else {
            lastRequest = nil
            return perform(machine.handle(.recovered))
        }
        // The frames in the device are played first.
        guard audio.bufferedFrames == 0, output.isStarved || machine.phase != .rendering else { return }
        guard !awaitsRequest(of: item, after: failure) else { return }
        loss = failure
        perform(machine.handle(.lost))
    }

    /// Requests the missing bytes once more if sound has played since the download failed, which may be long ago. If
    /// playback waited for the bytes, the last retry has only just failed.
    /// - Returns: true while the request may still start the download.
    private func awaitsRequest(of item: OpenItem, after failure: MediaFailure) -> Bool {
        guard machine.phase == .rendering, failure.mayBeOfNetwork else { return false }
        guard let requested = lastRequest else {
            lastRequest = now
            for source in item.sources { source.retry() }
            return true
        }
        return now - requested < Self.requestTime
    }
}
