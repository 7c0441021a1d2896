// SPDX-License-Identifier: GPL-3.0-or-later
import Screens

/// The control sequences of a frame, with the state of the terminal after them.
struct CellSequences: Sendable {
    var bytes: [UInt8] = []
    /// The place of the terminal's cursor; `nil` if it is unknown.
    private(set) var cursor: CellPlace?
    /// The style of the terminal; `nil` if it is unknown.
    private(set) var style: CellStyle?

    mutating func move(to place: CellPlace, in size: ScreenSize) {
        let row = max(0, min(place.row, size.rows - 1))
        let column = max(0, min(place.column, size.columns - 1))
        let place = CellPlace(row: row, column: column)
        guard cursor != place else { return }
        if let cursor, cursor.row == row, column > cursor.column, cursor.column < size.columns {
            let count = column - cursor.column
            add(count == 1 ? "\u{1B}[C" : "\u{1B}[\(count)C")
        } else if column == 0 {
            add(row == 0 ? "\u{1B}[H" : "\u{1B}[\(row + 1)H")
        } else {
            add("\u{1B}[\(row + 1);\(column + 1)H")
        }
        cursor = place
    }

    /// Writes characters whose columns every terminal agrees about.
    mutating func write(_ scalars: some Sequence<Unicode.Scalar>, columns: Int) {
        for scalar in scalars { bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
        cursor?.column += columns
    }

    /// Writes a cluster that a terminal may draw with fewer or more columns. The cursor is unknown afterwards.
    mutating func writeUncertain(
        _ scalars: some Sequence<Unicode.Scalar>, columns: Int, at place: CellPlace, in size: ScreenSize
    ) {
        // A narrower drawing would leave the old character beside it. ECH leaves half of a wide one in tmux 3.3.
        write(repeatElement(" ", count: columns), columns: columns)
        move(to: place, in: size)
        write(scalars, columns: columns)
        cursor = nil
    }

    mutating func eraseLine(from place: CellPlace, in size: ScreenSize) {
        move(to: place, in: size)
        set(.plain)
        add("\u{1B}[K")
    }

    mutating func set(_ new: CellStyle) {
        guard style != new else { return }
        defer { style = new }
        guard new != .plain else { return add("\u{1B}[m") }
        let needsReset = style.map { $0.loses(attributesOf: new) } ?? true
        let codes = (needsReset ? [0] : []) + new.codes(after: needsReset ? .plain : style ?? .plain)
        add("\u{1B}[\(codes.map(String.init).joined(separator: ";"))m")
    }

    private mutating func add(_ text: String) { bytes += Array(text.utf8) }
}

extension CellStyle {
    /// True if an attribute other than a colour ends.
    fileprivate func loses(attributesOf new: CellStyle) -> Bool {
        isBold && !new.isBold || isDim && !new.isDim || isReverse && !new.isReverse
            || isUnderlined && !new.isUnderlined
    }

    /// Returns the parameters of SGR that turn a style into this one, which has all its attributes.
    fileprivate func codes(after old: CellStyle) -> [Int] {
        var codes: [Int] = []
        if isBold, !old.isBold { codes.append(1) }
        if isDim, !old.isDim { codes.append(2) }
        if isUnderlined, !old.isUnderlined { codes.append(4) }
        if isReverse, !old.isReverse { codes.append(7) }
        if foreground != old.foreground { codes.append(foreground?.code(from: 30) ?? 39) }
        if background != old.background { codes.append(background?.code(from: 40) ?? 49) }
        return codes
    }
}

extension TerminalColour {
    /// - Parameter first: the code of black: 30 or 40.
    fileprivate func code(from first: Int) -> Int {
        Int(rawValue) < 8 ? first + Int(rawValue) : first + 52 + Int(rawValue)
    }
}
