// SPDX-License-Identifier: GPL-3.0-or-later

/// One cell of the screen.
public struct Cell: Sendable, Hashable {
    /// The character: a grapheme cluster without control characters.
    public var character: Character
    /// The columns of the character: 1 or 2; 0 for the cell that the wide character before it covers.
    public var width: UInt8
    public var style: CellStyle

    public init(_ character: Character, width: UInt8 = 1, style: CellStyle = .plain) {
        (self.character, self.width, self.style) = (character, width, style)
    }

    public static let blank = Cell(" ")
}

/// The size of the screen in cells.
public struct ScreenSize: Sendable, Hashable {
    public var columns: Int
    public var rows: Int

    /// Creates a size; the counts are clamped to 1...1000.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, min(columns, 1000))
        self.rows = max(1, min(rows, 1000))
    }
}

/// A place on the screen, counted from 0 at the top left.
public struct CellPlace: Sendable, Hashable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
}

/// A picture that the terminal draws itself, over blank cells.
public struct PlacedCover: Sendable, Hashable {
    public var request: CoverRequest
    public var place: CellPlace

    public init(_ request: CoverRequest, at place: CellPlace) { (self.request, self.place) = (request, place) }
}

/// The whole screen as cells.
public struct CellGrid: Sendable, Equatable {
    public let size: ScreenSize
    /// The cells, row by row; `size.columns * size.rows` of them.
    public private(set) var cells: [Cell]
    /// The place of the cursor. It stays on the focused row, because screen readers read there.
    public var cursor = CellPlace(row: 0, column: 0)
    /// True if the listener types text at the cursor.
    public var isTyping = false
    /// The picture to draw over the grid; `nil` if covers are drawn with cells, or none is shown.
    public var cover: PlacedCover?

    public init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// Returns the cell at a place inside the grid; a blank one for other places.
    public subscript(row: Int, column: Int) -> Cell {
        contains(row, column) ? cells[row * size.columns + column] : .blank
    }

    func contains(_ row: Int, _ column: Int) -> Bool {
        (0..<size.rows).contains(row) && (0..<size.columns).contains(column)
    }

    /// Writes a cell. A wide character that does not fit, or of which one half is overwritten, becomes a blank.
    mutating func set(_ row: Int, _ column: Int, _ cell: Cell) {
        guard contains(row, column) else { return }
        let index = row * size.columns + column
        clearHalf(at: index, column)
        guard cell.width == 2 else {
            cells[index] = Cell(cell.character, width: 1, style: cell.style)
            return
        }
        guard column + 1 < size.columns else {
            cells[index] = Cell(" ", style: cell.style)
            return
        }
        clearHalf(at: index + 1, column + 1)
        cells[index] = cell
        cells[index + 1] = Cell(" ", width: 0, style: cell.style)
    }

    /// Blanks the other half of a wide character at `index`.
    private mutating func clearHalf(at index: Int, _ column: Int) {
        if cells[index].width == 0, column > 0 { cells[index - 1] = Cell(" ", style: cells[index - 1].style) }
        if cells[index].width == 2, column + 1 < size.columns {
            cells[index + 1] = Cell(" ", style: cells[index + 1].style)
        }
    }

    /// Changes the style of a part of a row.
    mutating func restyle(_ row: Int, _ columns: Range<Int>, _ change: (inout CellStyle) -> Void) {
        for column in columns where contains(row, column) { change(&cells[row * size.columns + column].style) }
    }
}
