// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Reading along while another process downloads the episode.
extension DownloadStateMachine {
    /// Records that another process has the file locked and has stored this content.
    mutating func follow(_ stored: StoredContent, at time: Duration) -> [Action] {
        var since = time
        switch state {
        case .idle, .failed: break
        case .following(let before, let start, _): if stored == before { since = start }
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // This process holds the lock.
            return []
        }
        beginAttempt()
        move(to: .following(stored, since: since, seen: time))
        return [.scheduleRetry(generation, after: Self.followEvery)]
    }

    /// Records that another process has downloaded the complete file.
    mutating func finishElsewhere(_ stored: StoredContent) -> [Action] {
        switch state {
        case .idle, .failed, .following:
            beginAttempt()
            move(to: .complete(stored))
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // This process holds the lock.
            break
        }
        return []
    }

    /// The interval at which the other process's progress is read.
    static let followEvery = Duration.milliseconds(200)
    /// Another process that stores nothing for longer than this is reported as stalled.
    static let mostSilence = Duration.seconds(20)
}
