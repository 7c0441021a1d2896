// SPDX-License-Identifier: GPL-3.0-or-later

/// Titles in an index of their own: words that all notes have and no title were looked for through all notes.
enum SchemaV2 {
    static let sql = """
        CREATE VIRTUAL TABLE title_search USING fts5(
            title, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
        );

        """
}
