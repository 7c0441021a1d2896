// SPDX-License-Identifier: GPL-3.0-or-later

/// The first version of the tables. Times are seconds since 1970, positions and durations are microseconds, keys are
/// 64-bit digests (`ContentDigest`). A number that users and the journal refer to is never reused.
enum SchemaV1 {
    static let sql = podcasts + episodes + listening + keeping + journal

    private static let podcasts = """
        CREATE TABLE podcast (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            feed_url TEXT NOT NULL UNIQUE,
            title TEXT,
            own_title TEXT,
            author TEXT,
            description TEXT,
            link TEXT,
            image TEXT,
            language TEXT,
            guid TEXT,
            kind TEXT,
            medium TEXT,
            explicit INTEGER,
            details TEXT,
            folder TEXT NOT NULL DEFAULT '[]',
            subscribed_at INTEGER NOT NULL,
            unsubscribed_at INTEGER
        ) STRICT;
        CREATE TABLE feed_state (
            podcast INTEGER PRIMARY KEY REFERENCES podcast(id) ON DELETE CASCADE,
            etag TEXT,
            last_modified TEXT,
            body_key INTEGER,
            tried_at INTEGER,
            good_at INTEGER,
            full_at INTEGER,
            answers_since_full INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            failure TEXT,
            retry_at INTEGER,
            gone_at INTEGER,
            is_public INTEGER NOT NULL DEFAULT 1
        ) STRICT;
        CREATE TABLE former_address (
            podcast INTEGER NOT NULL REFERENCES podcast(id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            left_at INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX former_address_url ON former_address(url);
        CREATE TABLE credential (
            podcast INTEGER PRIMARY KEY REFERENCES podcast(id) ON DELETE CASCADE,
            user TEXT NOT NULL,
            password TEXT NOT NULL
        ) STRICT;

        """

    private static let episodes = """
        CREATE TABLE episode (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            podcast INTEGER NOT NULL REFERENCES podcast(id) ON DELETE CASCADE,
            sorted_at INTEGER NOT NULL,
            title TEXT,
            published INTEGER,
            duration INTEGER,
            season INTEGER,
            number INTEGER,
            kind TEXT,
            explicit INTEGER,
            guid TEXT,
            link TEXT,
            image TEXT,
            author TEXT,
            enclosure_url TEXT,
            enclosure_type TEXT,
            enclosure_length INTEGER,
            guid_key INTEGER,
            enclosure_key INTEGER,
            title_key INTEGER,
            content_key INTEGER NOT NULL,
            identity TEXT NOT NULL,
            first_seen_at INTEGER NOT NULL,
            left_at INTEGER,
            indexed INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX episode_of_podcast ON episode(podcast, sorted_at DESC, id DESC, left_at);
        CREATE INDEX episode_newest ON episode(sorted_at DESC, id DESC);
        CREATE INDEX episode_guid ON episode(guid_key);
        CREATE INDEX episode_to_index ON episode(id) WHERE indexed = 0;
        CREATE TABLE episode_notes (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            summary TEXT,
            html TEXT,
            details TEXT
        ) STRICT;
        CREATE TABLE alias (
            podcast INTEGER NOT NULL REFERENCES podcast(id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            key INTEGER NOT NULL,
            episode INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
            PRIMARY KEY (podcast, kind, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX alias_episode ON alias(episode);
        CREATE VIRTUAL TABLE episode_search USING fts5(
            title, notes, content = '', tokenize = "unicode61 remove_diacritics 2"
        );

        """

    private static let listening = """
        CREATE TABLE playback (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            position INTEGER NOT NULL DEFAULT 0,
            version TEXT,
            duration INTEGER,
            played_at INTEGER,
            finished_at INTEGER
        ) STRICT;
        CREATE INDEX playback_latest ON playback(played_at DESC);
        CREATE TABLE listened (
            episode INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (episode, first)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE bookmark (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            episode INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            version TEXT,
            title TEXT,
            made_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX bookmark_episode ON bookmark(episode, position);
        CREATE TABLE queue_entry (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            rank INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX queue_rank ON queue_entry(rank);

        """

    private static let keeping = """
        CREATE TABLE download (
            episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
            kept_as TEXT NOT NULL,
            wanted_by TEXT NOT NULL,
            wanted_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            total INTEGER,
            extents TEXT NOT NULL DEFAULT '[]',
            failure TEXT,
            finished_at INTEGER,
            removed_at INTEGER
        ) STRICT;
        CREATE TABLE setting (
            podcast INTEGER NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (podcast, key)
        ) STRICT, WITHOUT ROWID;

        """

    private static let journal = """
        CREATE TABLE act (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            verb TEXT NOT NULL,
            subject TEXT NOT NULL,
            undone_at INTEGER
        ) STRICT;
        CREATE TABLE act_inverse (
            act INTEGER NOT NULL REFERENCES act(id) ON DELETE CASCADE,
            step INTEGER PRIMARY KEY,
            statement TEXT NOT NULL
        ) STRICT;
        CREATE INDEX act_inverse_act ON act_inverse(act, step);
        """
}
