// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// The entries whose feed has put later audio under an existing GUID. The old position, played ranges, transcript and
/// chapters do not apply to the new audio, so it starts at the beginning. Bookmarks and the history stay.
enum ReplacedIssues {
    /// The limit: if more entries change together, the feed moved to another host, and the episodes are the same.
    private static let most = 3
    /// The shortest interval between daily issues, in seconds. Within it, a publisher corrects a file, or a host writes
    /// dates in another time zone.
    private static let day: Int64 = 20 * 3600

    /// Returns the episodes with an issue of another day. Issues of the same day count only if all entries of a small
    /// feed have another title and duration, too: a lost position is worse than a bulletin that keeps an old one.
    static func find(
        _ incoming: [EpisodeEvidence], _ ids: [Int64?], known: (Int64) -> EpisodeEvidence?
    ) -> [Int64] {
        let daily = episodes(incoming, ids, known: known) { $0.hasLaterAudio(than: $1, by: day) }
        guard daily.isEmpty, incoming.count <= most else { return daily.count <= most ? daily : [] }
        let hourly = episodes(incoming, ids, known: known) { now, before in
            now.hasLaterAudio(than: before, by: EpisodeIssue.secondsBetween)
                && now.hasOtherTitleAndDuration(than: before)
        }
        return hourly.count == incoming.count ? hourly : []
    }

    private static func episodes(
        _ incoming: [EpisodeEvidence], _ ids: [Int64?], known: (Int64) -> EpisodeEvidence?,
        where isReplaced: (_ now: EpisodeEvidence, _ before: EpisodeEvidence) -> Bool
    ) -> [Int64] {
        zip(incoming, ids).compactMap { evidence, id -> Int64? in
            guard let id, let before = known(id), isReplaced(evidence, before) else { return nil }
            return id
        }
    }
}

extension EpisodeEvidence {
    fileprivate func hasLaterAudio(than before: EpisodeEvidence, by seconds: Int64) -> Bool {
        guard let enclosure, let audio = before.enclosure, enclosure != audio, guid == before.guid else { return false }
        return EpisodeIssue.isLater(UTCTime(published), than: UTCTime(before.published), by: seconds)
    }
}

extension Library {
    /// Lets an episode with later audio start at its beginning, as an act that `undo` reverts.
    func startOver(_ episode: Int64, _ db: Database) throws {
        let row = try Row.fetchOne(db, sql: EpisodeSummary.query + "WHERE episode.id = ?", arguments: [episode])
        guard let name = try row.map(EpisodeSummary.init(row:))?.name else { return }
        try act(.startOver, name, in: db) { db in
            try db.execute(
                sql: """
                    UPDATE playback SET position = 0, anchor = NULL, version = NULL, duration = NULL,
                        finished_at = NULL
                    WHERE episode = ?
                    """, arguments: [episode])
            try db.execute(sql: "DELETE FROM listened WHERE episode = ?", arguments: [episode])
        }
        try db.execute(sql: "DELETE FROM loudness WHERE episode = ?", arguments: [episode])
        try TranscriptIndex.removeTranscript(of: episode, db)
        try ChapterDocumentTable.forgetChapters(of: episode, db)
    }
}
