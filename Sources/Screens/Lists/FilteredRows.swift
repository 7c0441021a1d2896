// SPDX-License-Identifier: GPL-3.0-or-later

/// A short list in memory, filtered by words.
struct FilteredRows<Row: Sendable>: Sendable {
    private var all: [Row] = []
    private(set) var shown: [Row] = []
    private(set) var filter = ""
    private var text: @Sendable (Row) -> String = { _ in "" }
    var cursor = ListCursor()

    var selected: Row? { shown.indices.contains(cursor.index) ? shown[cursor.index] : nil }

    mutating func take(_ rows: [Row], text: @escaping @Sendable (Row) -> String) {
        (all, self.text) = (rows, text)
        select()
    }

    mutating func setFilter(_ words: String) {
        filter = words
        select()
    }

    private mutating func select() {
        shown = all.filter { TextMatch.contains(text($0), filter) }
        cursor.move(to: cursor.index, count: shown.count)
    }
}
