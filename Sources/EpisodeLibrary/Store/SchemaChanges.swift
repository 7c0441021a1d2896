// SPDX-License-Identifier: GPL-3.0-or-later

/// A separate index for titles: words that occur in all notes but in no title made a title search read all notes.
enum SchemaV2 {
    static let sql = """
        CREATE VIRTUAL TABLE title_search USING fts5(
            title, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
        );

        """
}

/// The search index is not part of the migrations any more: `SearchIndex` creates it, and creates it again when words
/// are split in another way. All content of these tables is derived from the notes.
enum SchemaOfSearch {
    static let sql = """
        DROP TABLE episode_search;
        DROP TABLE title_search;
        DROP INDEX episode_to_index;

        """
}

/// The times of marks and settings: when the data of two machines is merged, the later value counts.
enum SchemaOfTimes {
    static let sql = """
        ALTER TABLE playback ADD COLUMN marked_at INTEGER;
        ALTER TABLE setting ADD COLUMN changed_at INTEGER;
        """
}

/// The issue for which a file was fetched, and the folder of the file. Existing files count as fetched for the
/// current issue. If episodes shared a file, one of them owns it from now on; an episode outside the trash is
/// preferred, or the file would be moved there.
enum SchemaDownloadIssues {
    static let sql = """
        ALTER TABLE download ADD COLUMN folder TEXT;
        ALTER TABLE download ADD COLUMN fetched_url TEXT;
        ALTER TABLE download ADD COLUMN fetched_published INTEGER;
        ALTER TABLE download ADD COLUMN fetched_length INTEGER;
        UPDATE download SET kept_as = kept_as || '#episode-' || episode, state = 'wanted', total = NULL, extents = '',
            failure = NULL, finished_at = NULL
        WHERE EXISTS (
            SELECT 1 FROM download AS first WHERE first.kept_as = download.kept_as
            AND (first.removed_at IS NOT NULL, first.state != 'complete', first.wanted_at, first.episode)
                < (download.removed_at IS NOT NULL, download.state != 'complete', download.wanted_at, download.episode)
        );
        UPDATE download SET fetched_url = kept_as,
            fetched_published = (SELECT published FROM episode WHERE id = episode),
            fetched_length = (SELECT enclosure_length FROM episode WHERE id = episode)
        WHERE state IN ('complete', 'partial');
        CREATE INDEX download_kept_as ON download(kept_as);
        CREATE INDEX episode_enclosure_url ON episode(enclosure_url);

        """
}

/// Transcripts, each in one row. `indexed` and `words` belong to the search index; `TranscriptRecord` describes the
/// last columns. The long ones are last, because SQLite reads a row up to the needed column.
enum SchemaOfTranscripts {
    static let sql = """
        CREATE TABLE transcript (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            indexed INTEGER NOT NULL DEFAULT 0,
            url TEXT NOT NULL,
            version TEXT,
            language TEXT,
            stored_at INTEGER NOT NULL,
            speakers TEXT NOT NULL,
            words BLOB,
            cues BLOB NOT NULL,
            texts TEXT NOT NULL
        ) STRICT;

        """
}

/// Measurements of the loudness of episodes. A file of another length is another version.
enum SchemaOfLoudness {
    static let sql = """
        CREATE TABLE loudness (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            file_length INTEGER NOT NULL,
            measured_at INTEGER NOT NULL,
            seconds REAL NOT NULL,
            integrated REAL,
            loudness_range REAL,
            true_peak REAL,
            histogram BLOB NOT NULL
        ) STRICT;

        """
}

/// The listener's corrections of the times of transcripts, in microseconds. A correction stays when the transcript is
/// fetched again.
enum SchemaOfTranscriptShifts {
    static let sql = """
        CREATE TABLE transcript_shift (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            shift INTEGER NOT NULL
        ) STRICT;

        """
}

/// Several corrections of a transcript, each from a time of the document on, in microseconds.
enum SchemaOfTranscriptSteps {
    static let sql = """
        CREATE TABLE transcript_step (
            episode INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
            start INTEGER NOT NULL DEFAULT 0,
            shift INTEGER NOT NULL,
            PRIMARY KEY (episode, start)
        ) STRICT;
        INSERT INTO transcript_step (episode, shift) SELECT episode, shift FROM transcript_shift;
        DROP TABLE transcript_shift;
        ALTER TABLE transcript_step RENAME TO transcript_shift;

        """
}

/// The documents of chapters to which feeds refer. `chapters` is `NULL` until the document was fetched.
enum SchemaOfChapterDocuments {
    static let sql = """
        CREATE TABLE chapter_document (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            tried_at INTEGER,
            failure TEXT,
            chapters TEXT
        ) STRICT;
        INSERT INTO chapter_document (episode, url)
        SELECT episode, details ->> '$.chaptersURL' FROM episode_notes
        WHERE iif(json_valid(details), details ->> '$.chaptersURL', NULL) IS NOT NULL;

        """
}

/// How long each podcast was heard on each day, in microseconds: the time of the source, the time that playback took,
/// and the times that shortened pauses and the speed saved. A day is counted from 1970-01-01 in local time. Podcast 0
/// has the times of podcasts that are no longer in the library.
enum SchemaOfListening {
    static let sql = """
        CREATE TABLE listening_day (
            podcast INTEGER NOT NULL,
            day INTEGER NOT NULL,
            heard INTEGER NOT NULL,
            wall INTEGER NOT NULL,
            trimmed INTEGER NOT NULL,
            sped INTEGER NOT NULL,
            PRIMARY KEY (podcast, day)
        ) STRICT, WITHOUT ROWID;

        """
}

/// The time that counts for deleting old rows, in one row (`CountedTime`). It starts with an act, because the clock may
/// be wrong at the time of the migration.
enum SchemaOfCountedTime {
    static let sql = """
        CREATE TABLE counted_time (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            refreshed_at INTEGER NOT NULL,
            counted_until INTEGER NOT NULL
        ) STRICT;
        INSERT INTO counted_time SELECT 1, max(at), max(at) FROM act HAVING max(at) IS NOT NULL;

        """
}

/// Smart queues, each a stored rule. The podcast is not a reference: `undo` may restore a rule whose podcast has been
/// deleted since.
enum SchemaOfSmartQueues {
    static let sql = """
        CREATE TABLE smart_queue (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            of_podcast INTEGER,
            of_group TEXT,
            newest_first INTEGER NOT NULL,
            most INTEGER NOT NULL
        ) STRICT;

        """
}

/// The packets from which estimated positions count (`TimeAnchor.text`). `NULL` stands for an exact position.
enum SchemaOfTimeAnchors {
    static let sql = """
        ALTER TABLE playback ADD COLUMN anchor TEXT;
        ALTER TABLE bookmark ADD COLUMN anchor TEXT;

        """
}

/// The hashes of the files whose loudness was measured. `NULL` stands for a measurement from before, which does not
/// tell versions of the same length apart.
enum SchemaOfFileHashes {
    static let sql = """
        ALTER TABLE loudness ADD COLUMN file_hash INTEGER;

        """
}
