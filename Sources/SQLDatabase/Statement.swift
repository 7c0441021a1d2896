// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite
import FoundationEssentials
import Glibc

/// A compiled statement. It may be used only while its database is accessed.
public final class Statement {
    private let handle: OpaquePointer
    private var names: ColumnNames?
    /// How often SQLite had compiled the statement again when `names` were read: a change of the schema can change
    /// them.
    private var compilations: CInt = 0

    private init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// Compiles the first statement of an SQL text.
    /// - Returns: the statement, `nil` if the text contains none, and the rest of the text.
    static func compile(
        _ sql: UnsafePointer<CChar>, _ connection: OpaquePointer, isKept: Bool = false
    ) throws -> (statement: Statement?, rest: UnsafePointer<CChar>) {
        var handle: OpaquePointer?
        var rest: UnsafePointer<CChar>?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &handle, &rest)
        guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
        return (handle.map(Statement.init), rest ?? sql + strlen(sql))
    }

    /// True while a cursor reads the rows of the statement.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs the statement to its end.
    public func execute(arguments: StatementArguments = []) throws {
        var rest = arguments
        try execute(taking: &rest)
        try rest.requireEmpty()
    }

    /// Runs the statement to its end, with the first of the remaining arguments.
    func execute(taking arguments: inout StatementArguments) throws {
        defer { reset() }
        try bind(&arguments)
        while try step() {}
    }

    /// Proceeds to the next row.
    /// - Returns: false if there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, on: sqlite3_db_handle(handle))
        }
    }

    func reset() { sqlite3_reset(handle) }

    // MARK: Parameters

    func bind(_ arguments: inout StatementArguments) throws {
        reset()
        for index in 0..<sqlite3_bind_parameter_count(handle) {
            let name = sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
            let code = bind(try arguments.next(name), to: index + 1)
            guard code == SQLITE_OK else { throw DatabaseError(code, on: sqlite3_db_handle(handle)) }
        }
    }

    private func bind(_ value: DatabaseValue, to index: CInt) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        // SQLite takes a missing address as NULL.
        case .text(""): return sqlite3_bind_text(handle, index, "", 0, transient)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    sqlite3_bind_text(handle, index, bytes.baseAddress, CInt(bytes.count), transient)
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes { raw in
                sqlite3_bind_blob64(handle, index, raw.baseAddress, UInt64(raw.count), transient)
            }
        }
    }

    // MARK: Columns

    /// Copies the current row.
    var row: Row { Row((0..<sqlite3_column_count(handle)).map(value), columnNames) }

    func value(_ index: CInt) -> DatabaseValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT: .text(text(index))
        case SQLITE_BLOB: .blob(blob(index))
        default: .null
        }
    }

    private func text(_ index: CInt) -> String {
        guard let start = sqlite3_column_text(handle, index) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))),
            as: UTF8.self)
    }

    private func blob(_ index: CInt) -> Data {
        guard let start = sqlite3_column_blob(handle, index) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, index)))
    }

    private var columnNames: ColumnNames {
        let now = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if let names, compilations == now { return names }
        let names = ColumnNames(
            (0..<sqlite3_column_count(handle)).map { index in
                sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
            })
        (self.names, compilations) = (names, now)
        return names
    }
}

/// Makes SQLite copy a value immediately (SQLITE_TRANSIENT).
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
