// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

/// Whatever a running session has to react to, from all sides, in one order.
enum SessionInput: Sendable {
    case player(PlayerEvent)
    /// The player has closed everything it had open.
    case playerStopped
    case targetFailed(String, MediaFailure)
    case keys([UInt8])
    case commandBytes([UInt8])
    case commandsEnded
    case signal(SessionSignal)
    case tick
}
