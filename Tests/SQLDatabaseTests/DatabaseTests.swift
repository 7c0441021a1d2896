// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import FoundationEssentials
import SQLDatabase
import Testing

@Suite("Database")
struct DatabaseTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, size REAL, data BLOB)")
        }
    }

    private func count() throws -> Int? { try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } }

    @Test(
        "A stored value is read as it was written",
        arguments: [
            .null, .integer(.min), .integer(0), .real(-0.5), .text(""), .text("a\0b"), .text("Ødegård 雨"),
            .blob(Data()), .blob(Data([0, 255])),
        ] as [DatabaseValue])
    func roundTrip(value: DatabaseValue) throws {
        let row = try queue.read { try Row.fetchOne($0, sql: "SELECT ? AS value", arguments: [value]) }
        #expect(row?.databaseValues == [value])
    }

    @Test("A value of another type is damage, a missing value is nil, and a missing column is an error")
    func types() throws {
        let row = try #require(
            try queue.read { try Row.fetchOne($0, sql: "SELECT 'a' AS text, NULL AS missing, 2.5 AS half") })
        let text: String = try row["text"]
        let nothing: Int64? = try row["missing"]
        #expect(text == "a" && nothing == nil)
        #expect(throws: DatabaseError.self) { _ = try row["text"] as Int64 }
        #expect(throws: DatabaseError.self) { _ = try row["missing"] as Int64 }
        #expect(throws: DatabaseError.self) { _ = try row["half"] as Int64 }
        #expect(throws: DatabaseError.self) { _ = try row["other"] as Int64? }
        #expect(throws: DatabaseError.self) { _ = try row[3] as Int64? }
    }

    @Test("Several statements take their arguments in order, or by name")
    func arguments() throws {
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO note (text) VALUES (?); INSERT INTO note (text, size) VALUES (?, ?) -- end\n",
                arguments: ["one", "two", 2])
            try db.execute(
                sql: "INSERT INTO note (text, size) VALUES (:text, :size)", arguments: ["size": 3.5, "text": "three"])
        }
        let texts = try queue.read { try String.fetchAll($0, sql: "SELECT text || ifnull(size, '') FROM note") }
        #expect(texts == ["one", "two2.0", "three3.5"])
    }

    @Test(
        "Too few, too many and unknown arguments are errors",
        arguments: [("SELECT ?", []), ("SELECT ?", [1, 2]), ("SELECT 1", [1]), ("SELECT :a", ["b": 1])]
            as [(String, StatementArguments)])
    func wrongArguments(sql: String, arguments: StatementArguments) {
        let error = #expect(throws: DatabaseError.self) {
            try queue.read { try $0.execute(sql: sql, arguments: arguments) }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(throws: DatabaseError.self) {
            _ = try queue.read { try Row.fetchAll($0, sql: sql, arguments: arguments) }
        }
    }

    @Test("An error undoes its transaction, and the connection stays usable")
    func rollback() throws {
        #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO note (text) VALUES ('lost')")
                try db.execute(sql: "INSERT INTO missing VALUES (1)")
            }
        }
        #expect(try count() == 0)
        try queue.write { try $0.execute(sql: "INSERT INTO note (text) VALUES ('kept')") }
        #expect(try count() == 1)
    }

    @Test("A change during a read is undone and reported")
    func readOnly() throws {
        let error = #expect(throws: DatabaseError.self) {
            try queue.read { try $0.execute(sql: "INSERT INTO note (text) VALUES ('lost')") }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(try count() == 0)
    }

    @Test("A cached statement can run while a cursor reads its rows")
    func cachedStatement() throws {
        try queue.write { try $0.execute(sql: "INSERT INTO note (id) VALUES (1), (2), (3)") }
        let pairs = try queue.read { db in
            var pairs: [[Int64]] = []
            let sql = "SELECT id FROM note ORDER BY id"
            let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
            while let row = try rows.next() {
                pairs.append([try row[0]] + (try Int64.fetchAll(db.cachedStatement(sql: sql))))
            }
            #expect(try rows.next() == nil)
            return pairs
        }
        #expect(pairs == [[1, 1, 2, 3], [2, 1, 2, 3], [3, 1, 2, 3]])
    }

    @Test("A cached statement sees the columns of a changed table")
    func changedTable() throws {
        let sql = "SELECT * FROM note"
        try queue.write { db in
            try db.execute(sql: "INSERT INTO note (id) VALUES (1)")
            _ = try Row.fetchAll(db.cachedStatement(sql: sql))
            try db.execute(sql: "ALTER TABLE note RENAME COLUMN size TO length")
            try db.execute(sql: "ALTER TABLE note ADD COLUMN more INTEGER DEFAULT 7")
            let row = try #require(try Row.fetchOne(db.cachedStatement(sql: sql)))
            let more: Int64 = try row["more"]
            let length: Double? = try row["length"]
            #expect(more == 7 && length == nil)
        }
    }

    @Test("The columns and the primary key of a table are known; a missing table is an error")
    func tables() throws {
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE pair (b, a, c, PRIMARY KEY (a, b)) WITHOUT ROWID; CREATE TABLE bare (x)")
            #expect(try db.columns(in: "pair") == ["b", "a", "c"])
            #expect(try db.primaryKey("pair") == ["a", "b"])
            #expect(try db.primaryKey("note") == ["id"])
            #expect(try db.primaryKey("bare") == ["rowid"])
            #expect(try db.tableExists("bare") && !db.tableExists("missing"))
            let error = #expect(throws: DatabaseError.self) { try db.columns(in: "missing") }
            #expect(error?.resultCode == .SQLITE_ERROR)
        }
    }

    @Test("Foreign keys are checked, and an unknown column in double quotes is an error")
    func strictness() throws {
        try queue.write { try $0.execute(sql: "CREATE TABLE part (note INTEGER REFERENCES note)") }
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO part VALUES (9)") }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(throws: DatabaseError.self) { try queue.read { try $0.execute(sql: "SELECT \"text of nobody\"") } }
    }

    @Test("A closed connection reports each use as an error")
    func closed() throws {
        try queue.close()
        #expect(throws: DatabaseError.self) { try queue.read { _ in } }
        try queue.close()
    }
}

@Suite("Database files")
struct DatabaseFileTests {
    @Test("A file that is not a database is reported when it is opened")
    func garbage() throws {
        let directory = ScratchDirectory()
        let path = try directory.write([UInt8](repeating: 65, count: 4096), to: "a.db")
        let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: path) }
        #expect(error?.resultCode == .SQLITE_NOTADB)
    }

    @Test("A connection for reading cannot create or change a file")
    func readonly() throws {
        let directory = ScratchDirectory()
        var configuration = Configuration()
        configuration.readonly = true
        let missing = #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: directory.path("a.db"), configuration: configuration)
        }
        #expect(missing?.resultCode == .SQLITE_CANTOPEN)
        try DatabaseQueue(path: directory.path("a.db")).write { try $0.execute(sql: "CREATE TABLE note (id)") }
        let reader = try DatabaseQueue(path: directory.path("a.db"), configuration: configuration)
        let refused = #expect(throws: DatabaseError.self) {
            try reader.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE note") }
        }
        #expect(refused?.resultCode == .SQLITE_READONLY)
    }

    @Test("A second writer without patience reports that the file is busy")
    func busy() throws {
        let directory = ScratchDirectory()
        let first = try DatabaseQueue(path: directory.path("a.db"))
        let second = try DatabaseQueue(path: directory.path("a.db"))
        let error = #expect(throws: DatabaseError.self) {
            try first.write { _ in try second.write { _ in } }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
    }

    @Test("A function of the program is called by SQL until the connection closes")
    func function() throws {
        let queue = try DatabaseQueue()
        let answer = try queue.writeWithoutTransaction { db in
            try db.define("answer") { 42 }
            return try Int.fetchOne(db, sql: "SELECT answer()")
        }
        #expect(answer == 42)
    }
}
