// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite

/// A result code of SQLite, with SQLite's names. Source: SQLite, "Result and Error Codes".
public struct ResultCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: CInt

    public init(rawValue: CInt) { self.rawValue = rawValue }

    private init(_ code: ResultCode, detail: CInt) { rawValue = code.rawValue | detail << 8 }

    public static let SQLITE_ERROR = ResultCode(rawValue: 1)
    public static let SQLITE_PERM = ResultCode(rawValue: 3)
    public static let SQLITE_BUSY = ResultCode(rawValue: 5)
    public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
    public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
    public static let SQLITE_READONLY = ResultCode(rawValue: 8)
    public static let SQLITE_IOERR = ResultCode(rawValue: 10)
    public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
    public static let SQLITE_FULL = ResultCode(rawValue: 13)
    public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
    public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
    public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
    public static let SQLITE_NOTADB = ResultCode(rawValue: 26)

    public static let SQLITE_IOERR_READ = ResultCode(.SQLITE_IOERR, detail: 1)
    public static let SQLITE_IOERR_WRITE = ResultCode(.SQLITE_IOERR, detail: 3)
    public static let SQLITE_IOERR_SHMOPEN = ResultCode(.SQLITE_IOERR, detail: 18)
    public static let SQLITE_IOERR_SHMSIZE = ResultCode(.SQLITE_IOERR, detail: 19)

    /// The code without its detail.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }
}

/// An error that SQLite reports.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    public let extendedResultCode: ResultCode
    public let message: String

    public var resultCode: ResultCode { extendedResultCode.primary }

    /// - Parameter message: by default, SQLite's words for the code.
    public init(resultCode: ResultCode, message: String? = nil) {
        extendedResultCode = resultCode
        self.message = message ?? sqlite3_errstr(resultCode.rawValue).map { String(cString: $0) } ?? "unknown error"
    }

    /// Reads the message of the latest call.
    init(_ code: CInt, on connection: OpaquePointer?) {
        let words = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        self.init(resultCode: ResultCode(rawValue: code), message: words)
    }

    public var description: String { "SQLite error \(extendedResultCode.rawValue): \(message)" }
}
