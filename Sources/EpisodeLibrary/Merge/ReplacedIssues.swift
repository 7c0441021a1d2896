// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// The entries whose feed has put later audio under an existing GUID. The old position, played ranges, transcript and
/// chapters do not apply to the new audio, so it starts at the beginning. Bookmarks and the history stay.
enum ReplacedIssues {
    /// The limit: if more entries change together, the feed moved to another host, and the episodes are the same.
    private static let most = 3

    static func find(
        _ incoming: [EpisodeEvidence], _ ids: [Int64?], known: (Int64) -> EpisodeEvidence?
    ) -> [Int64] {
        let replaced = zip(incoming, ids).compactMap { evidence, id -> Int64? in
            guard let id, let before = known(id), evidence.isLaterAudio(than: before) else { return nil }
            return id
        }
        return replaced.count <= most ? replaced : []
    }

    static func forgetPositions(_ episodes: [Int64], _ db: Database) throws {
        for episode in episodes {
            try db.execute(
                sql: """
                    UPDATE playback SET position = 0, version = NULL, duration = NULL, finished_at = NULL
                    WHERE episode = ?
                    """, arguments: [episode])
            try db.execute(sql: "DELETE FROM listened WHERE episode = ?", arguments: [episode])
            try db.execute(sql: "DELETE FROM loudness WHERE episode = ?", arguments: [episode])
            try TranscriptIndex.removeTranscript(of: episode, db)
            try ChapterDocumentTable.forgetChapters(of: episode, db)
        }
    }
}

extension EpisodeEvidence {
    fileprivate func isLaterAudio(than before: EpisodeEvidence) -> Bool {
        guard let enclosure, let audio = before.enclosure, enclosure != audio, guid == before.guid else { return false }
        return EpisodeIssue.isLater(UTCTime(published), than: UTCTime(before.published))
    }
}
