// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The transition to versions that replaced those being read.
extension DecodePipeline {
    /// Indexes more of the replacement versions.
    /// - Returns: true if there is more to do immediately.
    func surveyVersions() -> Bool { items.reduce(false) { $1.survey() || $0 } }

    /// Continues in a replacement version if the position in it is known.
    /// - Returns: the item and its position in the new version; `nil` if no item was switched.
    func cross() -> (PlaybackItem, VersionMapping, VersionChange)? {
        for item in items {
            guard let (mapping, left, change) = item.cross() else { continue }
            close(left)
            measureAgain(item)
            return (item.item, mapping, change)
        }
        return nil
    }

    /// Closes the source of an item that its alternative replaced.
    /// - Returns: the item, and the reason; `nil` if no item was replaced.
    func closeRejected() -> (PlaybackItem, MediaFailure)? {
        for item in items {
            guard let (source, failure) = item.removeRejected() else { continue }
            close(source)
            measureAgain(item)
            return (item.item, failure)
        }
        return nil
    }
}

extension DecodePipeline {
    /// The result of one step of reading.
    enum Progress: Equatable {
        /// A step was made; call `step` again.
        case progressed
        /// Frames are ready, but the ring has no space for them.
        case ringFull
        /// The next byte is not yet available.
        case notYetAvailable
        /// The next byte of an item already started does not arrive without a retry.
        case lost
        /// All opened items are read and in the ring.
        case idle
        /// This item is completely in the ring.
        case itemRead(PlaybackItem)
        /// An item is completely read, but hidden chapters leave all of it out.
        case itemLeftOut(generation: UInt32)
        /// No frame of this item will be played.
        case itemFailed(PlaybackItem, generation: UInt32, MediaFailure)
        /// The listener sought past the end time of this item: no frame of it will be played.
        case itemPassed(PlaybackItem)
        /// The seek target lies beyond the end of this item. The item stays open.
        case beyondEnd(PlaybackItem, generation: UInt32)
        /// This item is in the ring up to a failure before its end.
        case itemBroke(PlaybackItem, generation: UInt32, MediaFailure)

        /// True if nothing can be done now for the item being read.
        var isWaiting: Bool {
            switch self {
            case .ringFull, .notYetAvailable, .lost: true
            default: false
            }
        }
    }
}
