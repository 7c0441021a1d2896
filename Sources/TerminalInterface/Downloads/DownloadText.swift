// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The state of a download in a few words: its rate and the bytes left.
struct DownloadText: Equatable {
    /// The rate and the number of bytes left, if known.
    let long: String
    /// The more important of the two.
    let short: String
    /// The most columns that `long` and `short` need while figures change.
    let longRoom: Int
    let shortRoom: Int

    init(_ downloadProgress: DownloadProgress?) {
        switch downloadProgress?.condition {
        case nil: self.init(long: "", short: "")
        case .connecting: self.init(long: "connecting", short: "connecting")
        case .receiving:
            let rate = downloadProgress?.bytesPerSecond.map(ClockText.rate) ?? ""
            let left = Self.left(downloadProgress)
            let both = [rate, left].filter { !$0.isEmpty }.joined(separator: ", ")
            let rooms = ("999 kB/s, 999 MB left".count, "999 kB/s".count)
            self.init(long: both, short: rate.isEmpty ? left : rate, rooms: rooms)
        case .backingOff(let backoff): self.init(long: Self.text(backoff), short: "retrying")
        case .held(let reason): self.init(long: reason, short: "on hold")
        case .complete where downloadProgress?.isKept == false: self.init(long: "not saved", short: "not saved")
        case .complete where downloadProgress?.unverified != nil:
            self.init(long: "perhaps incomplete", short: "incomplete?")
        case .complete: self.init(long: "on disk", short: "on disk")
        case .failed: self.init(long: "download failed", short: "failed")
        }
    }

    private static func text(_ backoff: DownloadProgress.Backoff) -> String {
        guard let delay = backoff.retryIn else { return "\(backoff.reason), retrying" }
        // Rounded up: half a second is not 0.
        let left = backoff.attemptsLeft.map { $0 == 1 ? ", the last try" : ", \($0) tries left" } ?? ""
        return "\(backoff.reason), retrying in \(max(0, delay.components.seconds) + 1) s\(left)"
    }

    private static func left(_ downloadProgress: DownloadProgress?) -> String {
        guard let downloadProgress, let total = downloadProgress.total else { return "" }
        return ClockText.size(total - downloadProgress.extents.count) + " left"
    }

    private init(long: String, short: String, rooms: (long: Int, short: Int) = (0, 0)) {
        self.long = long
        self.short = short
        (longRoom, shortRoom) = rooms
    }
}
