// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// What a column has, and what it must have. GRDB's own subscripts trap where a column has nothing, or something of
/// another type, as it may in a damaged file whatever the tables say; these are preferred to them, and say so instead.
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
        guard let value else { throw damage("nothing in \(column)") }
        return value
    }

    private func typed<Value: DatabaseValueConvertible>(_ stored: DatabaseValue, _ column: String) throws -> Value? {
        guard !stored.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw damage("something else in \(column)") }
        return value
    }

    private func damage(_ what: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: what)
    }
}
