// SPDX-License-Identifier: GPL-3.0-or-later

/// The search index is not part of the migrations any more: `SearchIndex` creates it, and creates it again when words
/// are split in another way. All content of these tables is derived from the notes.
enum SchemaOfSearch {
    static let sql = """
        DROP TABLE episode_search;
        DROP TABLE title_search;
        DROP INDEX episode_to_index;

        """
}
