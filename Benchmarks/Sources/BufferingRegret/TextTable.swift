// SPDX-License-Identifier: GPL-3.0-or-later

/// Rows of cells under a heading; the first column is aligned left, the others right.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    init(_ heading: String...) { rows = [heading] }

    mutating func add(_ row: String...) { rows.append(row) }

    var description: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Double {
    /// Returns the number with `digits` decimals.
    func text(_ digits: Int = 1) -> String {
        guard isFinite, magnitude < 1e12 else { return "-" }
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let whole = Int((magnitude * Double(unit)).rounded())
        let fraction = digits > 0 ? "." + String(String(unit + whole % unit).dropFirst()) : ""
        return (self < 0 && whole > 0 ? "-" : "") + String(whole / unit) + fraction
    }

    /// Returns a fraction as a percentage.
    func percent(_ digits: Int = 0) -> String { (100 * self).text(digits) + " %" }
}
