// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The transition to versions that replaced those being read.
extension DecodePipeline {
    /// Indexes more of the replacement versions.
    /// - Returns: true if there is more to do immediately.
    func surveyVersions() -> Bool { items.reduce(false) { $1.survey() || $0 } }

    /// Continues in a replacement version if the position in it is known.
    /// - Returns: the item and its position in the new version; `nil` if no item was switched.
    func cross() -> (PlaybackItem, VersionTransition.Landing)? {
        for item in items {
            guard let (landing, left) = item.cross() else { continue }
            close(left)
            return (item.item, landing)
        }
        return nil
    }
}
