CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
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
CREATE TABLE sqlite_sequence(name,seq);
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
CREATE TABLE playback (
    episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
    position INTEGER NOT NULL DEFAULT 0,
    version TEXT,
    duration INTEGER,
    played_at INTEGER,
    finished_at INTEGER
, marked_at INTEGER, anchor TEXT) STRICT;
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
, anchor TEXT) STRICT;
CREATE INDEX bookmark_episode ON bookmark(episode, position);
CREATE TABLE queue_entry (
    episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
    rank INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_rank ON queue_entry(rank);
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
, folder TEXT, fetched_url TEXT, fetched_published INTEGER, fetched_length INTEGER) STRICT;
CREATE TABLE setting (
    podcast INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, changed_at INTEGER,
    PRIMARY KEY (podcast, key)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX download_kept_as ON download(kept_as);
CREATE INDEX episode_enclosure_url ON episode(enclosure_url);
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
CREATE TABLE loudness (
    episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
    file_length INTEGER NOT NULL,
    measured_at INTEGER NOT NULL,
    seconds REAL NOT NULL,
    integrated REAL,
    loudness_range REAL,
    true_peak REAL,
    histogram BLOB NOT NULL
, file_hash INTEGER) STRICT;
CREATE TABLE chapter_document (
    episode INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    tried_at INTEGER,
    failure TEXT,
    chapters TEXT
) STRICT;
CREATE TABLE listening_day (
    podcast INTEGER NOT NULL,
    day INTEGER NOT NULL,
    heard INTEGER NOT NULL,
    wall INTEGER NOT NULL,
    trimmed INTEGER NOT NULL,
    sped INTEGER NOT NULL,
    PRIMARY KEY (podcast, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE smart_queue (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    of_podcast INTEGER,
    of_group TEXT,
    newest_first INTEGER NOT NULL,
    most INTEGER NOT NULL
) STRICT;
CREATE TABLE counted_time (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    refreshed_at INTEGER NOT NULL,
    counted_until INTEGER NOT NULL
) STRICT;
CREATE TABLE "transcript_shift" (
    episode INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
    start INTEGER NOT NULL DEFAULT 0,
    shift INTEGER NOT NULL,
    PRIMARY KEY (episode, start)
) STRICT;
