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
