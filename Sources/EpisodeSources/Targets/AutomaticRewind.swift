// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule how far playback rewinds when it resumes: the longer ago the listener stopped, the farther, so that the
/// context comes back.
enum AutomaticRewind {
    /// Returns the distance for the time since the listener stopped.
    static func distance(afterSeconds seconds: Int64) -> Duration {
        switch seconds {
        case ..<60: .milliseconds(800)
        case ..<3600: .seconds(3)
        case ..<86_400: .seconds(10)
        default: .seconds(20)
        }
    }
}
