// SPDX-License-Identifier: GPL-3.0-or-later

/// A separate index for titles: words that occur in all notes but in no title made a title search read all notes.
enum SchemaV2 {
    static let sql = """
        CREATE VIRTUAL TABLE title_search USING fts5(
            title, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
        );

        """
}
