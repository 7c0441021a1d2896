// SPDX-License-Identifier: GPL-3.0-or-later

/// Which issue a file was fetched for, and the folder that it is in. Files that are here were fetched for what their
/// feeds said. Of episodes that shared one file, one owns it: not one in the trash, or the file would follow it there.
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
