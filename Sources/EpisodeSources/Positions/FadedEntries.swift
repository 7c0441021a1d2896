// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The entries that wait while the sleep timer fades the sound. At its end, playback returns to the place where the
/// fade began: an item that ended since was not played to its end, and the items after it were not heard. A pure value.
struct FadedEntries: Sendable {
    private var waiting: [PositionLog.Entry] = []
    /// The item in which the fade began; `nil` while the sound does not fade.
    private var item: PlaybackItem.ID?

    /// Returns the entries to write now: `new`, and those that waited if the listener ended the fade.
    /// - Parameter episode: returns the episode of an item.
    mutating func settle(
        _ new: [PositionLog.Entry], _ status: PlayerStatus, episode: (PlaybackItem.ID) -> Int64?
    ) -> [PositionLog.Entry] {
        let released = isOver(status) ? waiting : []
        if isOver(status) { (waiting, item) = ([], status.fadedItem) }
        guard let item else { return released + new }
        let fadedEpisode = episode(item)
        for entry in new where waits(entry, fadedEpisode) { waiting.append(entry) }
        return released + new.filter { !waits($0, fadedEpisode) }
    }

    /// True if playback has returned to the item in which the fade began.
    func hasReturned(_ status: PlayerStatus) -> Bool {
        guard let item, status.fadedItem == nil, status.item?.id == item else { return false }
        return status.isPaused || status.isSeeking
    }

    /// The status is newer than the events, so only the event of the timer tells that no end of an item follows.
    private func isOver(_ status: PlayerStatus) -> Bool { item != status.fadedItem && !hasReturned(status) }

    /// Ends the fade with the session.
    /// - Returns: the entries that waited.
    mutating func end() -> [PositionLog.Entry] {
        defer { forget() }
        return waiting
    }

    /// Forgets the entries that wait: the timer has ended.
    mutating func forget() { (waiting, item) = ([], nil) }

    /// Until the item in which the fade began ends, its positions are stored: the end of the fade replaces them.
    private func waits(_ entry: PositionLog.Entry, _ fadedEpisode: Int64?) -> Bool {
        switch entry {
        case .finish: true
        case .save(let episode, _, _): episode != fadedEpisode
        case .begin, .download, .listened: false
        }
    }
}
