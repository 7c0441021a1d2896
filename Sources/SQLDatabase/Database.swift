// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite

/// A connection to a database, used by one thread at a time; `DatabaseQueue` sees to that.
public final class Database {
    let connection: OpaquePointer
    private var statements: [String: Statement] = [:]

    init(path: String, _ configuration: Configuration) throws {
        var connection: OpaquePointer?
        let access = configuration.readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &connection, access | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let connection else {
            let error = DatabaseError(code, on: connection)
            sqlite3_close_v2(connection)
            throw error
        }
        self.connection = connection
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, CInt(configuration.busyTimeout * 1000))
        earshot_sqlite_reject_quoted_texts(connection)
        try execute(sql: "PRAGMA foreign_keys = \(configuration.foreignKeysEnabled ? "ON" : "OFF")")
        for prepare in configuration.preparations { try prepare(self) }
        // SQLite reads the file only now, and rejects it if it is not a database.
        try execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 1")
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(connection)
    }

    /// True if the file was moved, replaced or deleted since it was opened. Source: SQLite, SQLITE_FCNTL_HAS_MOVED.
    public var fileHasMoved: Bool {
        var hasMoved: CInt = 0
        // A database in memory has no file.
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }

    /// Runs one or more statements, which take their arguments in order.
    public func execute(sql: String, arguments: StatementArguments = []) throws {
        var arguments = arguments
        try sql.withCString { start in
            var rest = start
            while rest.pointee != 0 {
                let statement: Statement?
                (statement, rest) = try Statement.compile(rest, connection)
                try statement?.execute(taking: &arguments)
            }
        }
        try arguments.requireEmpty()
    }

    /// Compiles the first statement of `sql`.
    public func makeStatement(sql: String) throws -> Statement { try makeStatement(sql, isKept: false) }

    /// Returns a statement that is compiled once per connection.
    public func cachedStatement(sql: String) throws -> Statement {
        if let statement = statements[sql] {
            // A cursor may still be reading its rows.
            return statement.isBusy ? try makeStatement(sql: sql) : statement
        }
        let statement = try makeStatement(sql, isKept: true)
        statements[sql] = statement
        return statement
    }

    private func makeStatement(_ sql: String, isKept: Bool) throws -> Statement {
        try sql.withCString { start in
            guard let statement = try Statement.compile(start, connection, isKept: isKept).statement else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the text contains no statement")
            }
            return statement
        }
    }

    // MARK: Changes

    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(connection) }
    /// The number of rows that the latest statement changed.
    public var changesCount: Int { Int(sqlite3_changes64(connection)) }
    /// The number of rows that this connection has changed.
    public var totalChangesCount: Int { Int(sqlite3_total_changes64(connection)) }

    // MARK: Transactions

    public enum TransactionKind: String, Sendable {
        case deferred = "DEFERRED"
        case immediate = "IMMEDIATE"
    }

    /// Runs one transaction. An error undoes its changes.
    public func inTransaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "BEGIN \(kind.rawValue)").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // After some errors, SQLite has ended the transaction.
            if sqlite3_get_autocommit(connection) == 0 { try execute(sql: "ROLLBACK") }
            throw error
        }
    }

    // MARK: Tables

    public func tableExists(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"), arguments: [name])
            ?? false
    }

    /// - Throws: `SQLITE_ERROR` if the table does not exist.
    public func columns(in table: String) throws -> [String] { try tableInfo(table).map { try $0[0] } }

    /// Returns the columns of the primary key; `rowid` for a table without one.
    public func primaryKey(_ table: String) throws -> [String] {
        let columns = try tableInfo(table).map { (name: try $0[0] as String, rank: try $0[1] as Int) }
        let keys = columns.filter { $0.rank > 0 }.sorted { $0.rank < $1.rank }
        return keys.isEmpty ? ["rowid"] : keys.map(\.name)
    }

    private func tableInfo(_ table: String) throws -> [Row] {
        let rows = try Row.fetchAll(
            cachedStatement(sql: "SELECT name, pk FROM pragma_table_info(?)"), arguments: [table])
        guard !rows.isEmpty else { throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)") }
        return rows
    }
}
