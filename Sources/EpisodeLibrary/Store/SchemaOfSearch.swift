// SPDX-License-Identifier: GPL-3.0-or-later

/// The search index is not part of the migrations any more: `SearchIndex` makes it, and makes it again when words are
/// split in another way. All that these tables have comes from the notes.
enum SchemaOfSearch {
    static let sql = """
        DROP TABLE episode_search;
        DROP TABLE title_search;
        DROP INDEX episode_to_index;

        """
}
