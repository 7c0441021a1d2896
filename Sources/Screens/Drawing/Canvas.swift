// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes text into a grid, cleaned, cut and aligned.
struct Canvas {
    enum Alignment { case left, right }

    var grid: CellGrid
    let traits: TerminalTraits
    let glyphs: Glyphs

    init(_ size: ScreenSize, _ traits: TerminalTraits) {
        (grid, self.traits, glyphs) = (CellGrid(size), traits, Glyphs(traits))
    }

    func style(_ style: CellStyle) -> CellStyle {
        guard !traits.hasColours else { return style }
        var plain = style
        (plain.foreground, plain.background) = (nil, nil)
        return plain
    }

    /// Writes text into the first row of an area, cut to it.
    /// - Returns: the columns of the text.
    @discardableResult
    mutating func text(
        _ raw: String, in area: Area, _ style: CellStyle = .plain, _ alignment: Alignment = .left
    ) -> Int {
        write(CellText(raw, traits), in: area, style, alignment)
    }

    /// Writes text in which spaces matter.
    @discardableResult
    mutating func spaced(_ raw: String, in area: Area, _ style: CellStyle = .plain) -> Int {
        write(CellText(keepingSpaces: raw, traits), in: area, style, .left)
    }

    private mutating func write(
        _ text: CellText, in area: Area, _ style: CellStyle, _ alignment: Alignment
    ) -> Int {
        guard area.rows > 0, area.columns > 0 else { return 0 }
        let cut = text.cut(to: area.columns, traits)
        var column = alignment == .left ? area.column : area.endColumn - cut.columns
        for cluster in cut.clusters {
            put(cluster.character, area.row, column, style, width: cluster.columns)
            column += cluster.columns
        }
        return cut.columns
    }

    mutating func put(_ character: Character, _ row: Int, _ column: Int, _ style: CellStyle = .plain, width: Int = 1) {
        grid.set(row, column, Cell(character, width: UInt8(width), style: self.style(style)))
    }

    /// Draws a horizontal line with titles.
    mutating func rule(_ row: Int, _ columns: Range<Int>, title: String = "", isFocused: Bool = false) {
        let dim = CellStyle(dim: true)
        for column in columns { put(glyphs.horizontal, row, column, dim) }
        guard !title.isEmpty, columns.count >= 8 else { return }
        let area = Area(row: row, column: columns.lowerBound + 3, rows: 1, columns: columns.count - 5)
        label(title, in: area, isFocused ? CellStyle(bold: true) : .plain)
    }

    /// Writes text into a horizontal line, with a space on each side.
    /// - Returns: the columns of the text.
    @discardableResult
    mutating func label(_ raw: String, in area: Area, _ style: CellStyle, _ alignment: Alignment = .left) -> Int {
        let width = text(raw, in: area, style, alignment)
        guard width > 0 else { return 0 }
        let column = alignment == .left ? area.column : area.endColumn - width
        put(" ", area.row, column - 1)
        put(" ", area.row, column + width)
        return width
    }

    mutating func vertical(_ column: Int, _ rows: Range<Int>) {
        for row in rows { put(glyphs.vertical, row, column, CellStyle(dim: true)) }
    }

    mutating func junction(_ character: Character, _ row: Int, _ column: Int) {
        put(character, row, column, CellStyle(dim: true))
    }

    /// Shows a row as selected.
    mutating func select(_ area: Area, isFocused: Bool) {
        grid.restyle(area.row, area.column..<area.endColumn) { style in
            if isFocused { style.isReverse = true } else { style.isBold = true }
        }
        guard isFocused else { return }
        grid.cursor = CellPlace(row: area.row, column: area.column)
    }
}
