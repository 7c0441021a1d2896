// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Screens

/// A picture as rows of cells: the output of `chafa --format symbols`. A pure parser; it accepts any bytes.
public enum SymbolPicture {
    /// Returns exactly `rows` rows of `columns` cells of width 1, in the middle of which the picture stands.
    public static func cells(_ text: String, columns: Int, rows: Int) -> [[Cell]] {
        var style = CellStyle.plain
        var lines: [[Cell]] = []
        for line in text.split(separator: "\n").prefix(max(0, rows)) {
            let cells = Self.cells(line, &style).prefix(max(0, columns))
            let left = (columns - cells.count) / 2
            let right = columns - cells.count - left
            lines.append(blanks(left) + cells + blanks(right))
        }
        let above = max(0, rows - lines.count) / 2
        let below = max(0, rows - lines.count) - above
        return Array(repeating: blanks(columns), count: above) + lines + Array(repeating: blanks(columns), count: below)
    }

    private static func blanks(_ count: Int) -> [Cell] { Array(repeating: .blank, count: max(0, count)) }

    private static func cells(_ line: Substring, _ style: inout CellStyle) -> [Cell] {
        var cells: [Cell] = []
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                if scalar.properties.generalCategory != .control, scalar.terminalColumns == 1 {
                    cells.append(Cell(Character(scalar), style: style))
                }
                continue
            }
            guard rest.popFirst() == "[" else { continue }
            let parameters = rest.prefix { !("\u{40}"..."\u{7E}").contains($0) }
            rest = rest.dropFirst(parameters.count)
            guard rest.popFirst() == "m" else { continue }
            let codes = String(Substring(parameters)).split(separator: ";").map { Int($0) ?? 0 }
            for code in codes.isEmpty ? [0] : codes { style.apply(code) }
        }
        return cells
    }
}

extension CellStyle {
    /// Applies a parameter of SGR (ECMA-48 8.3.117); unknown ones have no effect.
    fileprivate mutating func apply(_ code: Int) {
        switch code {
        case 0: self = .plain
        case 1: isBold = true
        case 2: isDim = true
        case 7: isReverse = true
        case 27: isReverse = false
        case 30...37: foreground = TerminalColour(rawValue: UInt8(code - 30))
        case 39: foreground = nil
        case 40...47: background = TerminalColour(rawValue: UInt8(code - 40))
        case 49: background = nil
        case 90...97: foreground = TerminalColour(rawValue: UInt8(code - 82))
        case 100...107: background = TerminalColour(rawValue: UInt8(code - 92))
        default: break
        }
    }
}
