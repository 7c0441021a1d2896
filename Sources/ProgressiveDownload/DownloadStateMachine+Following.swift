// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Reading along while another process downloads the episode.
extension DownloadStateMachine {
    /// Another process has the file, and this much of it.
    mutating func follow(_ holding: Holding, at time: Duration) -> [Action] {
        var since = time
        switch state {
        case .idle, .failed: break
        case .following(let before, let start, _): if holding == before { since = start }
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // The file is ours.
            return []
        }
        beginAttempt()
        move(to: .following(holding, since: since, seen: time))
        return [.scheduleRetry(generation, after: Self.followEvery)]
    }

    /// Another process has downloaded all of it.
    mutating func finishElsewhere(_ holding: Holding) -> [Action] {
        switch state {
        case .idle, .failed, .following:
            beginAttempt()
            move(to: .complete(holding))
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // The file is ours.
            break
        }
        return []
    }

    /// The time between two looks at what another process has stored.
    static let followEvery = Duration.milliseconds(200)
    /// Another process that stores nothing for longer than this is shown to have stopped.
    static let mostSilence = Duration.seconds(20)
}
