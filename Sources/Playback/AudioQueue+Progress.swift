// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioQueue {
    /// What one step of reading came to.
    enum Progress: Equatable {
        /// There is more to do at once.
        case worked
        /// Frames are ready and there is no room for them.
        case ringFull
        /// The next byte has not arrived.
        case edge
        /// The next byte will not come by itself, of an item that was begun.
        case lost
        /// Every opened item is read and in the ring.
        case idle
        /// This item is in the ring to its end.
        case itemRead(PlaybackItem)
        /// Nothing of this item will be heard.
        case itemFailed(PlaybackItem, generation: UInt32, MediaFailure)
        /// The listener went to a place behind the one where this item is to stop: nothing of it will be heard.
        case itemPassed(PlaybackItem)
        /// The place to go to in this item lies beyond its end. It stays open.
        case beyondEnd(PlaybackItem, generation: UInt32)
        /// This item is in the ring as far as it goes, which is not to its end.
        case itemBroke(PlaybackItem, generation: UInt32, MediaFailure)
    }
}
