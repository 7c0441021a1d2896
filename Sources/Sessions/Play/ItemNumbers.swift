// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Synchronization

/// The numbers of the items of all players of a process, so that none is used twice.
final class ItemNumbers: Sendable {
    private let next = Atomic<PlaybackItem.ID>(0)

    func take() -> PlaybackItem.ID { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}
