// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

extension PlayerCommand {
    /// The reason why the player refused the command.
    var refusal: String {
        self == .chime
            ? "cannot play a chime now: nothing is playing, or too many chimes are playing"
            : "cannot bookmark now: nothing is playing"
    }
}
