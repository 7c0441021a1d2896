// SPDX-License-Identifier: GPL-3.0-or-later

/// The rows of a result, read one at a time. SQLite reads them while the cursor exists.
public final class RowCursor {
    private let statement: Statement
    private var isAtEnd = false

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        self.statement = statement
        var rest = arguments
        try statement.bind(&rest)
        try rest.requireEmpty()
    }

    deinit { statement.reset() }

    public func next() throws -> Row? {
        // A further step would run the statement again.
        guard !isAtEnd else { return nil }
        isAtEnd = try !statement.step()
        return isAtEnd ? nil : statement.row
    }
}

extension Row {
    public static func fetchCursor(_ statement: Statement, arguments: StatementArguments = []) throws -> RowCursor {
        try RowCursor(statement, arguments)
    }

    public static func fetchAll(_ statement: Statement, arguments: StatementArguments = []) throws -> [Row] {
        let rows = try RowCursor(statement, arguments)
        var all: [Row] = []
        while let row = try rows.next() { all.append(row) }
        return all
    }

    public static func fetchOne(_ statement: Statement, arguments: StatementArguments = []) throws -> Row? {
        try RowCursor(statement, arguments).next()
    }

    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = []
    ) throws -> RowCursor {
        try fetchCursor(db.makeStatement(sql: sql), arguments: arguments)
    }

    public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Row] {
        try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
    }

    public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Row? {
        try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
    }
}

/// The first column of a result.
extension DatabaseValueConvertible {
    /// - Throws: `SQLITE_CORRUPT` if a value is NULL or has another type.
    public static func fetchAll(_ statement: Statement, arguments: StatementArguments = []) throws -> [Self] {
        let rows = try RowCursor(statement, arguments)
        var all: [Self] = []
        while let row = try rows.next() {
            guard let value: Self = try row.first() else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no value in a row")
            }
            all.append(value)
        }
        return all
    }

    /// - Returns: `nil` if there is no row, or if its value is NULL.
    public static func fetchOne(_ statement: Statement, arguments: StatementArguments = []) throws -> Self? {
        try Row.fetchOne(statement, arguments: arguments)?.first()
    }

    public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Self] {
        try fetchAll(db.makeStatement(sql: sql), arguments: arguments)
    }

    public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Self? {
        try fetchOne(db.makeStatement(sql: sql), arguments: arguments)
    }
}

extension DatabaseValueConvertible where Self: Hashable {
    public static func fetchSet(_ statement: Statement, arguments: StatementArguments = []) throws -> Set<Self> {
        try Set(fetchAll(statement, arguments: arguments))
    }
}
