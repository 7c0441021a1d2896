// SPDX-License-Identifier: GPL-3.0-or-later
public import FoundationEssentials

/// A copy of one row of a result.
public struct Row: Sendable {
    /// The values in the order of the columns.
    public let databaseValues: [DatabaseValue]
    private let names: ColumnNames

    init(_ values: [DatabaseValue], _ names: ColumnNames) { (databaseValues, self.names) = (values, names) }
}

/// The columns of a statement's result, shared by its rows.
final class ColumnNames: Sendable {
    private let indices: [String: Int]

    init(_ names: [String]) { indices = Dictionary(zip(names, 0...)) { first, _ in first } }

    func index(of name: String) -> Int? { indices[name] }
}

/// Typed access to columns. In a damaged file, a value can be missing or have another type despite the declared types.
extension Row {
    public subscript(_ column: String) -> Int64 { get throws { try needed(self[column], column) } }
    public subscript(_ column: String) -> Int { get throws { try needed(self[column], column) } }
    public subscript(_ column: String) -> Bool { get throws { try needed(self[column], column) } }
    public subscript(_ column: String) -> String { get throws { try needed(self[column], column) } }
    public subscript(_ column: String) -> Data { get throws { try needed(self[column], column) } }
    public subscript(_ index: Int) -> Int64 { get throws { try needed(self[index], "\(index)") } }
    public subscript(_ index: Int) -> Int { get throws { try needed(self[index], "\(index)") } }
    public subscript(_ index: Int) -> Bool { get throws { try needed(self[index], "\(index)") } }
    public subscript(_ index: Int) -> String { get throws { try needed(self[index], "\(index)") } }

    public subscript(_ column: String) -> Int64? { get throws { try typed(value(of: column), column) } }
    public subscript(_ column: String) -> Int? { get throws { try typed(value(of: column), column) } }
    public subscript(_ column: String) -> Bool? { get throws { try typed(value(of: column), column) } }
    public subscript(_ column: String) -> Double? { get throws { try typed(value(of: column), column) } }
    public subscript(_ column: String) -> String? { get throws { try typed(value(of: column), column) } }
    public subscript(_ column: String) -> Data? { get throws { try typed(value(of: column), column) } }
    public subscript(_ index: Int) -> Int64? { get throws { try typed(value(at: index), "\(index)") } }
    public subscript(_ index: Int) -> Int? { get throws { try typed(value(at: index), "\(index)") } }
    public subscript(_ index: Int) -> Bool? { get throws { try typed(value(at: index), "\(index)") } }
    public subscript(_ index: Int) -> String? { get throws { try typed(value(at: index), "\(index)") } }

    /// Returns the first value.
    /// - Returns: `nil` if the value is NULL.
    func first<Value: DatabaseValueConvertible>() throws -> Value? { try typed(value(at: 0), "0") }

    private func value(of column: String) throws -> DatabaseValue {
        guard let index = names.index(of: column) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the result has no column \(column)")
        }
        return databaseValues[index]
    }

    private func value(at index: Int) throws -> DatabaseValue {
        guard databaseValues.indices.contains(index) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the result has no column \(index)")
        }
        return databaseValues[index]
    }

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
