// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import FullScreen
@testable import Screens

@Suite("Bytes of a frame")
struct CellWriterTests {
    private static let plain: [Character] = ["a", "b", " ", " ", "|", "é", "─", "日", "本"]
    private static let uncertain = "❤️ 👍🏽 👨‍👩‍👧 क्षि ที่ 1️⃣ 🇫🇷 n\u{303}\u{301}".filter { $0 != " " }.map { $0 }

    private static func style(_ random: inout SeededGenerator) -> CellStyle {
        let colour = TerminalColour(rawValue: UInt8.random(in: 0...15, using: &random))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: CellStyle(colour)
        case 1: CellStyle(colour, on: .blue, bold: true)
        case 2: CellStyle(dim: true, reverse: true)
        case 3: CellStyle(underlined: true)
        default: .plain
        }
    }

    /// Changes some cells of a grid.
    private static func change(
        _ grid: inout CellGrid, _ characters: [Character], count: Int, _ random: inout SeededGenerator
    ) {
        let widths = ClusterWidths()
        for _ in 0..<count {
            let character = characters.randomElement(using: &random) ?? " "
            let cell = Cell(character, width: UInt8(widths.columns(of: character)), style: style(&random))
            let row = Int.random(in: 0..<grid.size.rows, using: &random)
            grid.set(row, Int.random(in: 0..<grid.size.columns, using: &random), cell)
        }
        grid.cursor = CellPlace(row: Int.random(in: 0..<grid.size.rows, using: &random), column: 0)
    }

    @Test("The bytes turn the last frame into the next one", arguments: 0..<40 as Range<UInt64>)
    func differences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = ScreenSize(
            columns: Int.random(in: 1...40, using: &random), rows: Int.random(in: 1...12, using: &random))
        var grid = CellGrid(size)
        var terminal = TerminalModel(columns: size.columns, rows: size.rows)
        var writer = CellWriter(isUnicode: true, hasColours: true)
        for _ in 0..<30 {
            Self.change(&grid, Self.plain, count: Int.random(in: 0...60, using: &random), &random)
            terminal.apply(writer.draw(grid))
            Self.expect(terminal, shows: grid)
            #expect(writer.draw(grid) == [])
        }
    }

    private static func expect(_ terminal: TerminalModel, shows grid: CellGrid) {
        for row in 0..<grid.size.rows {
            for column in 0..<grid.size.columns {
                let cell = grid[row, column]
                let shown = cell.width == 0 ? "" : String(cell.character)
                #expect(terminal.text(row, column) == shown, "row \(row), column \(column)")
                #expect(terminal.style(row, column) == cell.style.modelText, "row \(row), column \(column)")
            }
        }
        #expect(terminal.row == grid.cursor.row && terminal.column == grid.cursor.column)
        #expect(terminal.unknown == [])
    }

    @Test(
        "Clusters that the terminal draws with other widths move no other cell",
        arguments: TerminalModel.Drawing.allCases, 0..<10 as Range<UInt64>)
    func anchors(drawing: TerminalModel.Drawing, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = ScreenSize(columns: 30, rows: 4)
        var grid = CellGrid(size)
        var terminal = TerminalModel(columns: size.columns, rows: size.rows, drawing: drawing)
        var writer = CellWriter(isUnicode: true, hasColours: true)
        for _ in 0..<20 {
            Self.change(&grid, Self.uncertain + ["x"], count: 12, &random)
            for row in 0..<4 { grid.set(row, 15, Cell("│")) }
            terminal.apply(writer.draw(grid))
            for row in 0..<4 { #expect(terminal.text(row, 15) == "│") }
        }
    }

    @Test("The screen is never cleared, and a new size only writes every cell")
    func neverClears() {
        var writer = CellWriter(isUnicode: true, hasColours: true)
        for columns in [80, 20, 60] {
            let bytes = String(decoding: writer.draw(CellGrid(ScreenSize(columns: columns, rows: 10))), as: UTF8.self)
            #expect(!bytes.contains("J") && bytes.contains("\u{1B}[K"))
        }
    }

    @Test("A cluster of uncertain width is written over spaces: tmux 3.3 does not erase half of a wide character")
    func noErasedCharacters() {
        var grid = CellGrid(ScreenSize(columns: 10, rows: 1))
        grid.set(0, 2, Cell("○"))
        var writer = CellWriter(isUnicode: true, hasColours: true)
        let text = String(decoding: writer.draw(grid), as: UTF8.self)
        #expect(text.contains(" \u{1B}[1;3H○") && !text.contains("X"))
    }

    @Test("A second on the clock costs less than 60 bytes")
    func clock() {
        var grid = CellGrid(ScreenSize(columns: 80, rows: 24))
        var writer = CellWriter(isUnicode: true, hasColours: true)
        for (column, digit) in "19:34".enumerated() { grid.set(20, 50 + column, Cell(digit)) }
        _ = writer.draw(grid)
        grid.set(20, 54, Cell("5"))
        grid.set(20, 17, Cell("●", style: CellStyle(.cyan)))
        grid.set(20, 16, Cell("━", style: CellStyle(.cyan)))
        #expect(writer.draw(grid).count < 60)
    }

    @Test("Without colours, only bold, dim, underlined and reverse remain")
    func noColours() {
        var grid = CellGrid(ScreenSize(columns: 10, rows: 1))
        grid.set(0, 0, Cell("a", style: CellStyle(.red, on: .blue, bold: true)))
        grid.set(0, 1, Cell("b", style: CellStyle(.red)))
        var writer = CellWriter(isUnicode: true, hasColours: false)
        let text = String(decoding: writer.draw(grid), as: UTF8.self)
        #expect(text.contains("\u{1B}[0;1m") && !text.contains("31") && !text.contains("44"))
    }

    @Test("An 8-bit terminal gets ASCII only")
    func asciiOnly() {
        var grid = CellGrid(ScreenSize(columns: 10, rows: 1))
        grid.set(0, 0, Cell("é"))
        grid.set(0, 2, Cell("日", width: 2))
        var writer = CellWriter(isUnicode: false, hasColours: true)
        let bytes = writer.draw(grid)
        #expect(bytes.allSatisfy { $0 < 0x80 } && String(decoding: bytes, as: UTF8.self).contains("? ??"))
    }

    @Test(
        "A character that controls the terminal is never written",
        arguments: ["\u{1B}", "\u{7}", "\u{9B}", "\u{7F}", "\r\n", "\u{202E}", "\u{2028}", "\u{0}"] as [Character])
    func harmless(character: Character) {
        var grid = CellGrid(ScreenSize(columns: 4, rows: 1))
        grid.set(0, 1, Cell(character))
        var writer = CellWriter(isUnicode: true, hasColours: true)
        let text = String(decoding: writer.draw(grid), as: UTF8.self)
        #expect(!text.replacing("\u{1B}[", with: "").unicodeScalars.contains { character.unicodeScalars.contains($0) })
    }

    @Test("A large frame is synchronized if the terminal affirms it, a small one never")
    func synchronized() {
        var grid = CellGrid(ScreenSize(columns: 80, rows: 24))
        var writer = CellWriter(isUnicode: true, hasColours: true)
        writer.synchronizes = true
        let first = String(decoding: writer.draw(grid), as: UTF8.self)
        #expect(first.hasPrefix("\u{1B}[?2026h") && first.hasSuffix("\u{1B}[?2026l"))
        grid.set(3, 3, Cell("x"))
        #expect(!String(decoding: writer.draw(grid), as: UTF8.self).contains("2026"))
    }

    @Test("Forgotten cells are written again")
    func forgets() {
        var grid = CellGrid(ScreenSize(columns: 10, rows: 3))
        grid.set(1, 2, Cell("x"))
        var writer = CellWriter(isUnicode: true, hasColours: true)
        _ = writer.draw(grid)
        writer.forget(rows: 1..<2, columns: 2..<3)
        #expect(String(decoding: writer.draw(grid), as: UTF8.self).contains("x"))
        #expect(writer.draw(grid) == [])
    }
}
