// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The queue: the episodes to play next, in the listener's order.
extension Library {
    /// Returns the queue.
    public func queue() throws(LibraryError) -> [EpisodeSummary] {
        try read { db in
            try Row.fetchAll(db, sql: EpisodeSummary.query + "WHERE queue_entry.episode IS NOT NULL ORDER BY rank")
                .map(EpisodeSummary.init(row:))
        }
    }

    /// Returns the numbers of the queued episodes.
    public func queuedEpisodes() throws(LibraryError) -> [Int64] {
        try read { db in try Int64.fetchAll(db, sql: "SELECT episode FROM queue_entry ORDER BY rank") }
    }

    /// Appends episodes to the queue; those already in it keep their positions.
    /// - Parameter first: true to add or move the episodes to the front instead.
    public func enqueue(_ episodes: [Int64], first: Bool = false) throws(LibraryError) {
        try editQueue(subject(of: episodes)) { queue in
            if first {
                queue = episodes + queue.filter { !episodes.contains($0) }
            } else {
                queue += episodes.filter { !queue.contains($0) }
            }
        }
    }

    /// Moves an episode within the queue.
    /// - Parameter place: the new index, counted from 0 without the episode; clamped to the last index.
    public func moveInQueue(_ episode: Int64, to place: Int) throws(LibraryError) {
        try editQueue(subject(of: [episode])) { queue in
            guard let old = queue.firstIndex(of: episode) else {
                throw LibraryError(.missing, "the episode \(episode) is not in the queue")
            }
            queue.remove(at: old)
            queue.insert(episode, at: max(0, min(place, queue.count)))
        }
    }

    /// Removes episodes from the queue.
    public func dequeue(_ episodes: [Int64]) throws(LibraryError) {
        try editQueue(subject(of: episodes)) { queue in queue.removeAll(where: episodes.contains) }
    }

    /// Removes all episodes from the queue.
    public func clearQueue() throws(LibraryError) {
        try editQueue("everything") { $0 = [] }
    }

    /// Shuffles the queue.
    /// - Returns: false if its order did not change.
    @discardableResult
    public func shuffleQueue(using generator: inout some RandomNumberGenerator) throws(LibraryError) -> Bool {
        let present = try queue().map(\.id)
        let shuffled = present.shuffled(using: &generator)
        guard shuffled != present else { return false }
        try editQueue("everything") { queue in
            queue = shuffled.filter(queue.contains) + queue.filter { !shuffled.contains($0) }
        }
        return true
    }

    /// Edits the queue and writes only the rows that change, so that undo is exact even after later changes.
    private func editQueue(_ subject: String, _ edit: (inout [Int64]) throws -> Void) throws(LibraryError) {
        try act(.queue, subject) { db in
            let before = try Row.fetchAll(db, sql: "SELECT episode, rank FROM queue_entry ORDER BY rank")
            let ranks = try Dictionary(before.map { (try $0[0] as Int64, try $0[1] as Int64) }) { $1 }
            var queue = try before.map { try $0[0] as Int64 }
            try edit(&queue)
            for gone in ranks.keys where !queue.contains(gone) {
                try db.execute(sql: "DELETE FROM queue_entry WHERE episode = ?", arguments: [gone])
            }
            for (rank, episode) in queue.enumerated() where ranks[episode] != Int64(rank) {
                try db.execute(
                    sql: """
                        INSERT INTO queue_entry (episode, rank) VALUES (:episode, :rank)
                        ON CONFLICT (episode) DO UPDATE SET rank = :rank
                        """, arguments: ["episode": episode, "rank": rank])
            }
        }
    }
}
