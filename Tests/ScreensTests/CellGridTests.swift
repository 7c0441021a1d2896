// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Screens

@Suite("Cell grid")
struct CellGridTests {
    @Test("A wide character in the last column becomes a blank")
    func wideAtTheEdge() {
        var grid = CellGrid(ScreenSize(columns: 3, rows: 1))
        grid.set(0, 2, Cell("雨", width: 2))
        #expect(grid[0, 2].character == " " && grid[0, 2].width == 1)
    }

    @Test("A wide character whose half is overwritten becomes a blank", arguments: [0, 1])
    func overwrittenHalf(column: Int) {
        var grid = CellGrid(ScreenSize(columns: 3, rows: 1))
        grid.set(0, 0, Cell("雨", width: 2))
        grid.set(0, column, Cell("x"))
        #expect(grid.cells.filter { $0.character == "x" }.count == 1)
        #expect(grid.cells.allSatisfy { $0.width == 1 })
    }
}
