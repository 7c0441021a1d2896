// SPDX-License-Identifier: GPL-3.0-or-later
public import Screens

/// The bytes that turn the shown screen into another one. A pure value.
///
/// It writes changed cells only and never clears the screen, because clearing flickers. After a cluster that terminals
/// draw with different widths it places the cursor again, so that the cells after it stay in their columns.
/// Source: ECMA-48 8.3 (CUP, CUF, EL, SGR).
public struct CellWriter: Sendable {
    /// True if the terminal shows a frame only when it is complete (private mode 2026).
    public var synchronizes = false
    public var widths = ClusterWidths()
    private let isUnicode: Bool
    private let hasColours: Bool
    /// The screen as the terminal shows it; `nil` if it is unknown.
    private var shown: CellGrid?
    private var sequences = CellSequences()
    private var marks: [Bool] = []
    private var covered: [(rows: Range<Int>, columns: Range<Int>)] = []

    /// A frame with fewer bytes is not worth the sequences of `synchronizes`.
    private static let smallFrame = 128

    public init(isUnicode: Bool, hasColours: Bool) { (self.isUnicode, self.hasColours) = (isUnicode, hasColours) }

    /// Makes the next frame write every cell: the contents of the terminal are unknown.
    public mutating func forget() {
        shown = nil
        sequences = CellSequences()
    }

    /// Makes the next frame write the cells of a rectangle again: a picture covers them.
    public mutating func forget(rows: Range<Int>, columns: Range<Int>) { covered.append((rows, columns)) }

    /// Returns the bytes that show the grid.
    public mutating func draw(_ grid: CellGrid) -> [UInt8] {
        sequences.bytes = []
        if shown?.size != grid.size { forget() }
        markChanges(grid)
        for row in 0..<grid.size.rows { drawRow(row, grid) }
        sequences.move(to: grid.cursor, in: grid.size)
        shown = grid
        let bytes = sequences.bytes
        guard synchronizes, bytes.count > Self.smallFrame else { return bytes }
        return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
    }

    private mutating func markChanges(_ grid: CellGrid) {
        defer { covered = [] }
        guard let shown else { return marks = Array(repeating: true, count: grid.cells.count) }
        marks = Array(repeating: false, count: grid.cells.count)
        for index in grid.cells.indices where grid.cells[index] != shown.cells[index] { marks[index] = true }
        for area in covered {
            for row in area.rows.clamped(to: 0..<grid.size.rows) {
                for column in area.columns.clamped(to: 0..<grid.size.columns) {
                    marks[row * grid.size.columns + column] = true
                }
            }
        }
    }

    private mutating func drawRow(_ row: Int, _ grid: CellGrid) {
        let columns = grid.size.columns
        let start = row * columns
        let blanks = marks[start..<start + columns].contains(true) ? trailingBlanks(row, grid) : columns
        var column = 0
        while column < columns {
            // A changed second half needs the wide character before it.
            let isWide = grid[row, column].width == 2 && column + 1 < columns
            guard marks[start + column] || isWide && marks[start + column + 1] else {
                column += 1
                continue
            }
            if column >= blanks { return sequences.eraseLine(from: CellPlace(row: row, column: column), in: grid.size) }
            column += draw(CellPlace(row: row, column: column), grid)
        }
    }

    /// Returns the column from which on a row is blank; all columns if that part is short.
    private func trailingBlanks(_ row: Int, _ grid: CellGrid) -> Int {
        var column = grid.size.columns
        while column > 0, grid[row, column - 1] == .blank { column -= 1 }
        let changes = marks[(row * grid.size.columns + column)..<((row + 1) * grid.size.columns)].count(where: \.self)
        return changes > 3 ? column : grid.size.columns
    }

    /// Draws one cell.
    /// - Returns: its columns.
    private mutating func draw(_ place: CellPlace, _ grid: CellGrid) -> Int {
        let cell = grid[place.row, place.column]
        // A second half without its first half cannot be drawn.
        let width = cell.width == 2 && place.column + 1 < grid.size.columns ? 2 : 1
        approach(place, grid)
        sequences.set(style(of: cell))
        let character = cell.width == 0 ? " " : cell.character
        guard isUnicode || character.isASCII else {
            sequences.write(repeatElement("?", count: width), columns: width)
            return width
        }
        let form = widths.form(of: character).filter(\.isDrawable)
        guard !form.isEmpty else {
            sequences.write(repeatElement("?", count: width), columns: width)
            return width
        }
        if ClusterWidths.isCertain(character) {
            sequences.write(form, columns: width)
        } else {
            sequences.writeUncertain(form, columns: width, at: place, in: grid.size)
            mark(place, from: place.column + width, count: 2, grid.size)
        }
        return width
    }

    /// Marks cells that a cluster before them may have overwritten.
    private mutating func mark(_ place: CellPlace, from column: Int, count: Int, _ size: ScreenSize) {
        for column in column..<min(column + count, size.columns) { marks[place.row * size.columns + column] = true }
    }

    /// Moves to a place. A short way over plain cells costs fewer bytes when they are written again.
    private mutating func approach(_ place: CellPlace, _ grid: CellGrid) {
        if let cursor = sequences.cursor, cursor.row == place.row, (1...3).contains(place.column - cursor.column) {
            let cells = (cursor.column..<place.column).map { grid[place.row, $0] }
            if cells.allSatisfy({ $0.width == 1 && $0.character.isASCII && style(of: $0) == sequences.style }) {
                let scalars = cells.compactMap(\.character.unicodeScalars.first)
                if scalars.count == cells.count, scalars.allSatisfy(\.isDrawable) {
                    return sequences.write(scalars, columns: cells.count)
                }
            }
        }
        sequences.move(to: place, in: grid.size)
    }

    private func style(of cell: Cell) -> CellStyle {
        guard !hasColours else { return cell.style }
        var style = cell.style
        (style.foreground, style.background) = (nil, nil)
        return style
    }
}

extension Unicode.Scalar {
    /// False for characters that control the terminal or the order of the text.
    fileprivate var isDrawable: Bool {
        if value < 0x20 || (0x7F...0x9F).contains(value) { return false }
        if value < 0x300 { return true }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        case .format: return value == 0x200D
        default: return true
        }
    }
}
