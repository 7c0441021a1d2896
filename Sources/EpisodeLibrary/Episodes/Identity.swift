// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The listener's corrections of episode identity.
extension Library {
    /// Merges two episodes of one podcast: all of the listener's data of `from` moves to `into`.
    public func merge(_ from: Int64, into: Int64) throws(LibraryError) {
        let (one, other) = (try episode(from), try episode(into))
        guard one.id != other.id, one.podcast == other.podcast else {
            throw LibraryError(.invalid, "only two different episodes of the same podcast can be merged")
        }
        try act(.merge, other.name) { db in try EpisodeUnion.unite(db, from, into: into) }
    }

    /// Splits an episode that was merged by mistake: removes its aliases, so that the items with those identities
    /// become separate episodes when the feed is merged next.
    /// - Returns: the number of removed aliases.
    public func split(_ episode: Int64) throws(LibraryError) -> Int {
        let summary = try self.episode(episode)
        return try act(.split, summary.name) { db in
            try db.execute(
                sql: "DELETE FROM alias WHERE episode = ? AND kind NOT IN (?, ?)",
                arguments: [episode, EpisodeUnion.number, EpisodeUnion.splitNumber])
            let count = db.changesCount
            guard count > 0 else { return 0 }
            try db.execute(
                sql: "UPDATE OR REPLACE alias SET kind = ? WHERE episode = ? AND kind = ?",
                arguments: [EpisodeUnion.splitNumber, episode, EpisodeUnion.number])
            // Otherwise the feed would not be parsed again before it changes.
            try Self.forgetDocument(of: summary.podcast, db)
            return count
        }
    }
}
