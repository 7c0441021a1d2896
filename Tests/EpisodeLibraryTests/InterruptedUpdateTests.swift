// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("An interrupted update of the library")
struct InterruptedUpdateTests {
    @Test(
        "The next use completes the update without loss",
        arguments: ["nothing was done", "tables without an index", "an empty index", "half of the index"])
    func completed(stop: String) throws {
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy("2", in: directory)
        let before = try Self.count(path)
        let file = try DatabaseQueue(path: path)
        if stop != "nothing was done" { try Schema.migrate(file) }
        if stop.hasSuffix("index") && !stop.hasPrefix("tables") { try SearchIndex.replaceIfOutdated(file) }
        if stop.hasPrefix("half") { try file.write { db in try SearchIndex.add(2, db) } }
        try file.close()
        let library = try Library(path: path) { .newYear }
        while try library.indexSome() > 0 {}
        #expect(try library.search("storm", limit: 9).map(\.name) == ["The storm"])
        #expect(try library.countToIndex() == 0)
        try library.close()
        #expect(try Self.count(path) == before)
    }

    private static func count(_ path: String) throws -> [Int?] {
        let file = try DatabaseQueue(path: path)
        defer { try? file.close() }
        return try file.read { db in
            try ["podcast", "episode", "playback", "listened", "bookmark", "queue_entry", "setting", "act"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
            }
        }
    }

    @Test("An index started by a later version is rebuilt by this one")
    func laterProgram() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2, title: "Storm"), .numbered(1, title: "Fog")], into: try stage.subscribe())
        while try stage.library.indexSome() > 0 {}
        try stage.library.database.writeWithoutTransaction { db in
            // The later version has indexed one of the two episodes in a format that this version cannot read.
            try db.execute(sql: "DROP TABLE title_words; CREATE TABLE title_words (a); PRAGMA user_version = 5")
            try db.execute(sql: "UPDATE episode SET indexed = 5 WHERE title = 'Fog'")
        }
        let library = try stage.another()
        #expect(try library.countToIndex() == 2)
        while try library.indexSome() > 0 {}
        #expect(try library.search("fog", limit: 9).count == 1 && library.search("storm", limit: 9).count == 1)
    }
}
