// SPDX-License-Identifier: GPL-3.0-or-later

/// A rectangle of cells.
struct Area: Sendable, Hashable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    init(row: Int, column: Int, rows: Int, columns: Int) {
        (self.row, self.column, self.rows, self.columns) = (row, column, max(0, rows), max(0, columns))
    }

    var endRow: Int { row + rows }
    var endColumn: Int { column + columns }

    func contains(_ place: CellPlace) -> Bool {
        (row..<endRow).contains(place.row) && (column..<endColumn).contains(place.column)
    }

    func line(_ index: Int) -> Area { Area(row: row + index, column: column, rows: 1, columns: columns) }

    func inset(left: Int, right: Int = 0) -> Area {
        Area(row: row, column: column + left, rows: rows, columns: columns - left - right)
    }

    /// Returns the first rows, and the others after a gap of `gap` rows.
    func split(top count: Int, gap: Int = 0) -> (top: Area, bottom: Area) {
        let count = max(0, min(count, rows))
        return (
            Area(row: row, column: column, rows: count, columns: columns),
            Area(row: row + count + gap, column: column, rows: rows - count - gap, columns: columns)
        )
    }
}
