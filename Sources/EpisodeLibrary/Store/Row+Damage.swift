// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Typed access to columns that throws an error. GRDB's own subscripts trap if a column is empty or has another type,
/// which can happen in a damaged file despite the declared types; the compiler prefers these subscripts.
extension Row {
    subscript(_ column: String) -> Int64 { get throws { try needed(self[column], column) } }
    subscript(_ column: String) -> Int { get throws { try needed(self[column], column) } }
    subscript(_ column: String) -> Bool { get throws { try needed(self[column], column) } }
    subscript(_ column: String) -> String { get throws { try needed(self[column], column) } }
    subscript(_ index: Int) -> Int64 { get throws { try needed(self[index], "\(index)") } }
    subscript(_ index: Int) -> Int { get throws { try needed(self[index], "\(index)") } }
    subscript(_ index: Int) -> Bool { get throws { try needed(self[index], "\(index)") } }
    subscript(_ index: Int) -> String { get throws { try needed(self[index], "\(index)") } }

    subscript(_ column: String) -> Int64? { get throws { try typed(self[column] as DatabaseValue, column) } }
    subscript(_ column: String) -> Int? { get throws { try typed(self[column] as DatabaseValue, column) } }
    subscript(_ column: String) -> Bool? { get throws { try typed(self[column] as DatabaseValue, column) } }
    subscript(_ column: String) -> Double? { get throws { try typed(self[column] as DatabaseValue, column) } }
    subscript(_ column: String) -> String? { get throws { try typed(self[column] as DatabaseValue, column) } }
    subscript(_ index: Int) -> Int64? { get throws { try typed(self[index] as DatabaseValue, "\(index)") } }
    subscript(_ index: Int) -> Int? { get throws { try typed(self[index] as DatabaseValue, "\(index)") } }
    subscript(_ index: Int) -> Bool? { get throws { try typed(self[index] as DatabaseValue, "\(index)") } }
    subscript(_ index: Int) -> String? { get throws { try typed(self[index] as DatabaseValue, "\(index)") } }

    private func needed<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw damage("no value in \(column)") }
        return value
    }

    private func typed<Value: DatabaseValueConvertible>(_ stored: DatabaseValue, _ column: String) throws -> Value? {
        guard !stored.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw damage("unexpected value in \(column)") }
        return value
    }

    private func damage(_ what: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: what)
    }
}
