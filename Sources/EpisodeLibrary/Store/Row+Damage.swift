// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// What a column must have. GRDB's own subscripts trap where it has nothing, as it may in a damaged file whatever the
/// tables say; these are preferred to them, and say so instead.
extension Row {
    subscript(_ column: String) -> Int64 { get throws { try needed(self[column] as Int64?, column) } }
    subscript(_ column: String) -> Int { get throws { try needed(self[column] as Int?, column) } }
    subscript(_ column: String) -> Bool { get throws { try needed(self[column] as Bool?, column) } }
    subscript(_ column: String) -> String { get throws { try needed(self[column] as String?, column) } }
    subscript(_ index: Int) -> Int64 { get throws { try needed(self[index] as Int64?, "\(index)") } }
    subscript(_ index: Int) -> Int { get throws { try needed(self[index] as Int?, "\(index)") } }
    subscript(_ index: Int) -> Bool { get throws { try needed(self[index] as Bool?, "\(index)") } }
    subscript(_ index: Int) -> String { get throws { try needed(self[index] as String?, "\(index)") } }

    private func needed<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "nothing in \(column)") }
        return value
    }
}
