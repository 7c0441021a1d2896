// SPDX-License-Identifier: GPL-3.0-or-later
import CSQLite

/// The SQL function `token_places(table)`, which returns the places of the matches in a row of a full text search: the
/// number of words before each match, and after a slash the number of the phrase in the query, separated by blanks.
///
/// Source: SQLite, FTS5, 7 (custom auxiliary functions).
public enum TokenPlaces {
    /// The most matches of a row.
    private static let most: CInt = 256

    public static func register(_ db: Database) throws {
        let api = try db.fullTextSearch
        let code = api.pointee.xCreateFunction(api, "token_places", nil, function, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, on: db.connection) }
    }

    private static let function: fts5_extension_function = { api, row, result, _, _ in
        guard let api = api?.pointee, let row, let result else { return }
        var count: CInt = 0
        var code = api.xInstCount(row, &count)
        var list = ""
        var index: CInt = 0
        while code == SQLITE_OK, index < min(count, most) {
            var (phrase, column, place): (CInt, CInt, CInt) = (0, 0, 0)
            code = api.xInst(row, index, &phrase, &column, &place)
            list += "\(index == 0 ? "" : " ")\(place)/\(phrase)"
            index += 1
        }
        guard code == SQLITE_OK else { return sqlite3_result_error_code(result, code) }
        sqlite3_result_text(result, list, CInt(list.utf8.count), transient)
    }
}

extension Database {
    /// SQLite keeps this pointer, and compares the text when it runs the statement.
    private static let fullTextSearchType: StaticString = "fts5_api_ptr"

    /// The functions for extensions of the full text search. Source: SQLite, FTS5, 7 (extending FTS5).
    fileprivate var fullTextSearch: UnsafeMutablePointer<fts5_api> {
        get throws {
            var handle: OpaquePointer?
            let code = sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &handle, nil)
            guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
            defer { sqlite3_finalize(handle) }
            var api: UnsafeMutablePointer<fts5_api>?
            let type = UnsafeRawPointer(Self.fullTextSearchType.utf8Start).assumingMemoryBound(to: CChar.self)
            withUnsafeMutablePointer(to: &api) { place in
                _ = sqlite3_bind_pointer(handle, 1, place, type, nil)
                sqlite3_step(handle)
            }
            guard let api else {
                throw DatabaseError(resultCode: .SQLITE_ERROR, message: "SQLite has no full text search")
            }
            return api
        }
    }
}
