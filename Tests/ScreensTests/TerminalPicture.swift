// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Screens

/// A picture (SVG 1.1) of cells, as a terminal shows them.
struct TerminalPicture {
    /// The colours of a terminal: its background, its text, and the colours 0 to 7.
    enum Palette: String, CaseIterable, Sendable {
        case light, dark

        var background: String { self == .light ? "#ffffff" : "#0d1117" }
        var text: String { self == .light ? "#1f2328" : "#e6edf3" }
        var border: String { self == .light ? "#d1d9e0" : "#3d444d" }

        func colour(_ colour: TerminalColour) -> String {
            let light = ["#24292f", "#cf222e", "#116329", "#7d4e00", "#0969da", "#8250df", "#1b7c83", "#6e7781"]
            let dark = ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"]
            return (self == .light ? light : dark)[Int(colour.rawValue) % 8]
        }
    }

    private static let (cellWidth, cellHeight, margin) = (8, 18, 10)

    let rows: [[Cell]]
    /// What the picture shows, for readers who do not see it.
    let title: String

    init(_ grid: CellGrid, title: String) {
        rows = (0..<grid.size.rows).map { row in (0..<grid.size.columns).map { grid[row, $0] } }
        self.title = title
    }

    /// - Parameter line: a line with the codes of ECMA-48 for its colours (SGR).
    init(line: String, title: String) {
        let pieces = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
        let first = pieces.first.map { $0.map { Cell($0) } } ?? []
        rows = [
            first
                + pieces.dropFirst().flatMap { piece -> [Cell] in
                    let code = Int(piece.prefix { $0 != "m" }) ?? 0
                    let style = CellStyle(
                        TerminalColour(rawValue: UInt8(clamping: code - 30)).flatMap { code >= 30 ? $0 : nil },
                        bold: code == 1, dim: code == 2)
                    return piece.drop { $0 != "m" }.dropFirst().map { Cell($0, style: style) }
                }
        ]
        self.title = title
    }

    func svg(_ palette: Palette) -> String {
        let width = (rows.map(\.count).max() ?? 0) * Self.cellWidth + 2 * Self.margin
        let height = rows.count * Self.cellHeight + 2 * Self.margin
        let lines = rows.enumerated().flatMap { row, cells in runs(cells).map { element($0, row: row, palette) } }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="\(Self.escaped(title))">
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="6" fill="\(palette.background)" \
            stroke="\(palette.border)"/>
            <g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13" \
            fill="\(palette.text)" xml:space="preserve">
            \(lines.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    /// Neighbouring cells with one style.
    private struct Run {
        let column: Int
        var cells: [Cell]
        var style: CellStyle { cells[0].style }
        var text: String { String(cells.filter { $0.width > 0 }.map(\.character)) }
        var isBlank: Bool { cells.allSatisfy { $0.character == " " } }
    }

    private func runs(_ cells: [Cell]) -> [Run] {
        var runs: [Run] = []
        for (column, cell) in cells.enumerated() {
            if let last = runs.indices.last, runs[last].style == cell.style {
                runs[last].cells.append(cell)
            } else {
                runs.append(Run(column: column, cells: [cell]))
            }
        }
        return runs.filter { !$0.isBlank || $0.style.isReverse || $0.style.background != nil }
    }

    private func element(_ run: Run, row: Int, _ palette: Palette) -> String {
        let style = run.style
        let ink = style.foreground.map(palette.colour) ?? palette.text
        let paper = style.background.map(palette.colour) ?? palette.background
        let (x, y) = (Self.margin + run.column * Self.cellWidth, Self.margin + row * Self.cellHeight)
        let width = run.cells.count * Self.cellWidth
        let needsPaper = style.isReverse || style.background != nil
        let box =
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.cellHeight)\" "
            + "fill=\"\(style.isReverse ? ink : paper)\"/>"
        let text =
            "<text x=\"\(x)\" y=\"\(y + 13)\" textLength=\"\(width)\" lengthAdjust=\"spacingAndGlyphs\""
            + " fill=\"\(style.isReverse ? paper : ink)\"" + (style.isBold ? " font-weight=\"bold\"" : "")
            + (style.isDim ? " opacity=\"0.65\"" : "")
            + (style.isUnderlined ? " text-decoration=\"underline\"" : "") + ">\(Self.escaped(run.text))</text>"
        return (needsPaper ? box : "") + (run.isBlank ? "" : text)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
    }
}
