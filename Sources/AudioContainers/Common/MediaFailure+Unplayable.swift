// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MediaFailure {
    /// The failure of a file with a kind of audio that Earshot cannot play.
    /// - Parameter content: its name, with that of the container: "Speex in Ogg".
    static func unplayable(_ content: String) -> MediaFailure {
        MediaFailure(.badData, "this is \(content), which Earshot cannot play")
    }
}
