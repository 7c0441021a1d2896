// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// What the listener says about which episodes are one.
extension Library {
    /// Two episodes of one podcast are the same: everything done with the first is done with the second now.
    public func merge(_ from: Int64, into: Int64) throws(LibraryError) {
        let (one, other) = (try episode(from), try episode(into))
        guard one.id != other.id, one.podcast == other.podcast else {
            throw LibraryError(.invalid, "only two different episodes of one podcast can be the same")
        }
        try act(.merge, other.name) { db in try EpisodeUnion.unite(db, from, into: into) }
    }

    /// The episode was taken for another one that it is not: whatever it was known by earlier is an episode of its own
    /// again, the next time that the feed has it.
    /// - Returns: how many names it gave up.
    public func split(_ episode: Int64) throws(LibraryError) -> Int {
        let summary = try self.episode(episode)
        return try act(.split, summary.name) { db in
            try db.execute(sql: "DELETE FROM alias WHERE episode = ?", arguments: [episode])
            let count = db.changesCount
            // Else the feed would not be read before it changes.
            if count > 0 { try Self.forgetDocument(of: summary.podcast, db) }
            return count
        }
    }
}
