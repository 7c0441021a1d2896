// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

/// Whatever a running session has to react to, from all sides, in one order.
enum SessionEvent: Sendable {
    case person(SessionInput)
    case player(PlayerEvent)
    /// The player has closed everything it had open.
    case playerStopped
    /// Worth a line, and no failure.
    case remark(String)
    case targetFailed(String, MediaFailure)
    /// There is neither an episode to resume nor one in the queue.
    case nothingToPlay(hasPodcasts: Bool)
    /// A sentence for a person.
    case noted(String)
    /// The item, about to be put on the playlist, is this episode of the library.
    case placed(PlaybackItem.ID, episode: Int64)
}
