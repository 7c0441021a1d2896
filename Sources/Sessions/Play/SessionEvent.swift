// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

/// The events of a running session, from all sources in one order.
enum SessionEvent: Sendable {
    case person(SessionInput)
    case player(PlayerEvent)
    /// The player has stopped and closed its resources.
    case playerStopped
    /// A remark that is not a failure.
    case remark(String)
    case targetFailed(String, MediaFailure)
    /// No episode to resume, and the queue is empty.
    case nothingToPlay(hasPodcasts: Bool)
    /// A sentence for a person.
    case noted(String)
    /// The next item of the playlist is this episode of the library.
    case placed(PlaybackItem.ID, episode: Int64)
}
