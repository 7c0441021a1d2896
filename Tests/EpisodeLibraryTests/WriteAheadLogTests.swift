// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Reading a write-ahead log without SQLite")
struct WriteAheadLogTests {
    /// Returns a database whose log contains all pages but the first: transactions of several pages, some of them
    /// repeated.
    private static func make(in directory: ScratchDirectory) throws -> (database: [UInt8], log: [UInt8]) {
        let path = directory.path("live.db")
        let live = try DatabaseQueue(path: path)
        try live.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        }
        for round in 1...12 {
            try live.write { db in
                for id in 1...5 {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO note VALUES (?, hex(zeroblob(?)))",
                        arguments: [round / 2 * 3 + id, round * 150])
                }
            }
            // Restart the log at its beginning, over its old contents.
            if round == 6 { try live.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(FULL)") } }
        }
        return (directory.read("live.db"), directory.read("live.db-wal"))
    }

    private func rows(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { db in
            guard try db.tableExists("note") else { return [] }
            return try String.fetchAll(db, sql: "SELECT id || ' ' || text FROM note ORDER BY id")
        }
    }

    @Test("A log that is truncated or changed is applied as SQLite applies it")
    func cuts() throws {
        let directory = ScratchDirectory()
        let (database, log) = try Self.make(in: directory)
        var random = SeededGenerator(seed: 7)
        for number in 0..<60 {
            var log = Array(log.prefix(number == 0 ? log.count : Int.random(in: 0...log.count, using: &random)))
            if number % 3 == 2, !log.isEmpty { log[Int.random(in: 0..<log.count, using: &random)] ^= 1 }
            let expected = try rows(try write(database, log, "sqlite-\(number).db", directory))
            var bytes = database
            WriteAheadLog(log)?.apply(to: &bytes)
            (bytes[18], bytes[19]) = (1, 1)
            #expect(try rows(try directory.write(bytes, to: "ours-\(number).db")) == expected, "\(number)")
        }
    }

    private func write(
        _ database: [UInt8], _ log: [UInt8], _ name: String, _ directory: ScratchDirectory
    ) throws -> String {
        try directory.write(log, to: name + "-wal")
        return try directory.write(database, to: name)
    }

    @Test("Bytes that are not a log are rejected")
    func noLog() {
        let others: [[UInt8]] = [[], Array(repeating: 0, count: 32), Array(repeating: 7, count: 5000)]
        for bytes in others { #expect(WriteAheadLog(bytes) == nil) }
    }
}
