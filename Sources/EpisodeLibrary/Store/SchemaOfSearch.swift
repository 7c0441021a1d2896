// SPDX-License-Identifier: GPL-3.0-or-later

/// The former migration of the search index. `SearchIndex` now creates the index, and creates it again when the rules
/// for splitting words change. All content of these tables is derived from the notes.
enum SchemaOfSearch {
    static let sql = """
        DROP TABLE episode_search;
        DROP TABLE title_search;
        DROP INDEX episode_to_index;

        """
}
