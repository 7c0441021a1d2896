// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// The queue and the smart queues.
extension LibraryTargets {
    /// A list that is played and may change during playback.
    public enum List: Sendable, Equatable {
        /// The last unfinished episode, then the queue.
        case queue
        case smartQueue(named: String)
    }

    /// Returns a list with the own name of its smart queue.
    public func resolved(_ list: List) throws(LibraryError) -> List {
        switch list {
        case .queue: .queue
        case .smartQueue(let name): .smartQueue(named: try library.smartQueue(named: name).name)
        }
    }

    /// Returns the episodes to play first; empty if there are none.
    public func upNext(in list: List) throws(LibraryError) -> [ResolvedEpisode] {
        switch list {
        case .queue: try upNext()
        case .smartQueue(let name): try resolvedEpisodes(library.episodes(of: library.smartQueue(named: name)))
        }
    }

    /// Returns the episodes with audio that are in the list now.
    /// - Parameter others: episodes that do not count towards the greatest number of a smart queue, because they play
    ///   or were skipped.
    public func present(in list: List, notCounting others: Set<Int64>) throws(LibraryError) -> [ResolvedEpisode] {
        switch list {
        case .queue: try resolvedEpisodes(library.queue().filter(\.hasAudio))
        case .smartQueue(let name):
            try resolvedEpisodes(library.episodes(of: library.smartQueue(named: name), notCounting: others))
        }
    }
}
