// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Versions that took the place of those being read.
extension AudioQueue {
    /// Looks further into versions that took the place of those being read.
    /// - Returns: whether there is more to do at once.
    func surveyVersions() -> Bool { items.reduce(false) { $1.survey() || $0 } }

    /// Goes on in another version, where it is known how.
    /// - Returns: the item and how; `nil` where there is none.
    func cross() -> (PlaybackItem, VersionCrossing.Landing)? {
        for item in items {
            guard let (landing, left) = item.cross() else { continue }
            close(left)
            return (item.item, landing)
        }
        return nil
    }
}
