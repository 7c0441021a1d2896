// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

extension LibraryCopy {
    /// The identifiers of the episodes that were merged into another one, as the digests that the library keeps.
    public struct MergedIdentifiers: Sendable, Equatable {
        public var guids: [Int64]
        public var enclosures: [Int64]

        public init(guids: [Int64] = [], enclosures: [Int64] = []) {
            (self.guids, self.enclosures) = (guids, enclosures)
        }
    }
}

extension Library {
    /// Returns the identifiers of the episodes that were merged into an episode; none for one that only changed its
    /// identifiers.
    public func mergedIdentifiers(of episode: Int64) throws(LibraryError) -> LibraryCopy.MergedIdentifiers {
        try read { db in
            LibraryCopy.MergedIdentifiers(
                guids: try mergedKeys(.guid, of: episode, db),
                enclosures: try mergedKeys(.enclosure, of: episode, db))
        }
    }

    private func mergedKeys(_ kind: EpisodeMatcher.Kind, of episode: Int64, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT key FROM alias WHERE episode = :episode AND kind = :kind
                    AND EXISTS (SELECT 1 FROM alias WHERE episode = :episode AND kind = :number)
                ORDER BY key
                """, arguments: ["episode": episode, "kind": kind.rawValue, "number": EpisodeUnion.number])
    }
}

extension Restoring {
    /// Merges what the listener of the copy has merged: episodes of this library, and those that the feed adds later.
    /// - Parameter others: the episodes that the copy contains; they stay.
    mutating func restore(
        _ merged: LibraryCopy.MergedIdentifiers, of episode: Int64, besides others: Set<Int64>
    ) throws {
        var isNew = false
        for key in merged.guids where try addAlias(EpisodeMatcher.Kind.guid.rawValue, key, of: episode) { isNew = true }
        for key in merged.enclosures where try addAlias(EpisodeMatcher.Kind.enclosure.rawValue, key, of: episode) {
            isNew = true
        }
        guard isNew else { return }
        // The number of the merged episode is unknown here; its own number marks it as a merge for the next export.
        _ = try addAlias(EpisodeUnion.number, episode, of: episode)
        try EpisodeUnion.absorb(db, into: episode, besides: others)
        restored.merges += 1
    }

    /// - Returns: false if the alias belongs to an episode already.
    private func addAlias(_ kind: String, _ key: Int64, of episode: Int64) throws -> Bool {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO alias (podcast, kind, key, episode)
                SELECT podcast, ?, ?, id FROM episode WHERE id = ?
                """, arguments: [kind, key, episode])
        return db.changesCount > 0
    }
}
