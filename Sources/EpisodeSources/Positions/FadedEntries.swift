// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The entries that wait while the sleep timer fades the sound. At its end, playback returns to the place where the
/// fade began: an item that ended since was not played to its end, and the items after it were not heard. A pure value.
///
/// The status is newer than the events, so the entries also wait from a return until the event that follows it.
struct FadedEntries: Sendable {
    private var waiting: [PositionLog.Entry] = []
    /// The item in which the fade began; `nil` while nothing waits.
    private var item: PlaybackItem.ID?
    /// The number of returns whose events were handled.
    private var handledReturns = 0

    /// Returns the entries to write now: `new`, and those that waited if the listener ended the fade.
    /// - Parameter episode: returns the episode of an item.
    mutating func settle(
        _ new: [PositionLog.Entry], _ status: PlayerStatus, episode: (PlaybackItem.ID) -> Int64?
    ) -> [PositionLog.Entry] {
        let current = status.fadedItem ?? (hasReturned(status) ? item ?? status.item?.id : nil)
        let released = current == item ? [] : end()
        item = current
        guard let item else { return released + new }
        let fadedEpisode = episode(item)
        for entry in new where waits(entry, fadedEpisode) { waiting.append(entry) }
        return released + new.filter { !waits($0, fadedEpisode) }
    }

    private func hasReturned(_ status: PlayerStatus) -> Bool { status.fadeReturns > handledReturns }

    /// Forgets the entries that wait if playback has returned to the place where the fade began.
    /// - Returns: false if it has not.
    mutating func handleReturn(_ status: PlayerStatus) -> Bool {
        guard hasReturned(status) else { return false }
        (waiting, item, handledReturns) = ([], nil, handledReturns + 1)
        return true
    }

    /// Ends the fade with the session.
    /// - Returns: the entries that waited.
    mutating func end() -> [PositionLog.Entry] {
        defer { (waiting, item) = ([], nil) }
        return waiting
    }

    /// Until the item in which the fade began ends, its positions are stored: the end of the fade replaces them.
    private func waits(_ entry: PositionLog.Entry, _ fadedEpisode: Int64?) -> Bool {
        switch entry {
        case .finish: true
        case .save(let episode, _, _): episode != fadedEpisode
        case .begin, .download, .listened: false
        }
    }
}
