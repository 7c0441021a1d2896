// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Screens

/// A small terminal: it draws bytes on cells, as far as the screen uses control sequences.
struct TerminalModel {
    struct Place: Equatable {
        var text: String
        var style: String
    }

    /// The way in which the terminal draws clusters of several scalars.
    enum Drawing: CaseIterable {
        /// Each scalar has its own columns, as in `wcwidth`.
        case scalars
        /// Each takes one column.
        case narrow
        /// Each takes two columns.
        case wide
    }

    let columns: Int
    let rows: Int
    let drawing: Drawing
    private(set) var cells: [Place]
    private(set) var row = 0
    private(set) var column = 0
    private var style: [String] = []
    /// The sequences that the model does not know.
    private(set) var unknown: [String] = []

    init(columns: Int, rows: Int, drawing: Drawing = .scalars) {
        (self.columns, self.rows, self.drawing) = (columns, rows, drawing)
        // The contents before the first frame are unknown.
        cells = Array(repeating: Place(text: "#", style: "?"), count: columns * rows)
    }

    mutating func apply(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let first = rest.first {
            if first == "\u{1B}" {
                rest = control(rest.dropFirst())
            } else {
                draw(first)
                rest = rest.dropFirst()
            }
        }
    }

    func text(_ row: Int, _ column: Int) -> String { cells[row * columns + column].text }

    func style(_ row: Int, _ column: Int) -> String { cells[row * columns + column].style }

    private mutating func control(_ text: Substring) -> Substring {
        guard text.first == "[" else {
            unknown.append(String(text.prefix(8)))
            return text.dropFirst()
        }
        let body = text.dropFirst()
        // A combining mark after a final byte belongs to the next character, so scalars are compared.
        let scalars = body.unicodeScalars
        guard let end = scalars.firstIndex(where: { (0x40...0x7E).contains($0.value) }) else { return "" }
        let parameters = String(scalars[..<end])
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        run(scalars[end], parameters, numbers)
        return Substring(scalars[scalars.index(after: end)...])
    }

    private mutating func run(_ final: Unicode.Scalar, _ parameters: String, _ numbers: [Int]) {
        switch final {
        case "H":
            row = min(rows, max(1, numbers.first ?? 1)) - 1
            column = min(columns, max(1, numbers.dropFirst().first ?? 1)) - 1
        case "C": column = min(columns - 1, column + max(1, numbers.first ?? 1))
        case "X": for place in column..<min(columns, column + max(1, numbers.first ?? 1)) { put(" ", place) }
        case "K": for place in min(column, columns - 1)..<columns { put(" ", place) }
        case "m": setStyle(numbers)
        case "h", "l": if parameters != "?2026" { unknown.append(parameters) }
        default: unknown.append(parameters + String(final))
        }
    }

    private mutating func setStyle(_ codes: [Int]) {
        for code in codes.isEmpty ? [0] : codes {
            switch code {
            case 0: style = []
            case 39: style.removeAll { $0.hasPrefix("f") }
            case 49: style.removeAll { $0.hasPrefix("b") }
            case 30...37, 90...97:
                style = style.filter { !$0.hasPrefix("f") } + ["f\(code < 90 ? code - 30 : code - 82)"]
            case 40...47, 100...107:
                style = style.filter { !$0.hasPrefix("b") } + ["b\(code < 100 ? code - 40 : code - 92)"]
            default: if !style.contains("a\(code)") { style.append("a\(code)") }
            }
        }
    }

    private mutating func put(_ text: String, _ column: Int) {
        cells[row * columns + column] = Place(text: text, style: style.sorted().joined(separator: " "))
    }

    private mutating func draw(_ cluster: Character) {
        let scalars = cluster.unicodeScalars
        let isSingle = scalars.count == 1
        let width =
            switch drawing {
            case .scalars: scalars.reduce(0) { $0 + $1.terminalColumns }
            case .narrow: isSingle ? cluster.terminalColumns : 1
            case .wide: isSingle ? cluster.terminalColumns : 2
            }
        // Without automatic line breaks, the last column is overwritten.
        if column >= columns { column = columns - 1 }
        for place in column..<min(columns, column + max(1, width)) {
            put(place == column ? String(cluster) : "", place)
        }
        column += max(1, width)
    }
}

extension CellStyle {
    /// The style as the model writes it.
    var modelText: String {
        var parts: [String] = []
        if isBold { parts.append("a1") }
        if isDim { parts.append("a2") }
        if isUnderlined { parts.append("a4") }
        if isReverse { parts.append("a7") }
        if let foreground { parts.append("f\(foreground.rawValue)") }
        if let background { parts.append("b\(background.rawValue)") }
        return parts.sorted().joined(separator: " ")
    }
}
