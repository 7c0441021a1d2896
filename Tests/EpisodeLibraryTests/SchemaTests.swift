// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("The library file across versions", .serialized)
struct SchemaTests {
    static let versions = Schema.migrations.map(\.name)

    /// Recorded with `EARSHOT_RECORD_DUMPS=1`; the file of a released version never changes.
    @Test("The tables of each version equal those of its release", arguments: versions)
    func tables(version: String) throws {
        let library = try DatabaseQueue()
        try Schema.migrate(library, upTo: version)
        // Ignore the internal tables of the search indexes, which belong to SQLite.
        let statements = try library.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE '%\\_search\\_%' ESCAPE '\\'
                    ORDER BY rowid
                    """)
        }
        let dump = statements.map { $0 + ";\n" }.joined()
        if LibrarySample.isRecording { LibrarySample.write(Array(dump.utf8), to: "schema-\(version).sql") }
        let recorded = ScratchDirectory.bytes(of: LibrarySample.folder + "schema-\(version).sql")
        #expect(dump == String(decoding: recorded, as: UTF8.self))
    }

    @Test("A library of an earlier version keeps all its data", arguments: versions)
    func released(version: String) throws {
        if version == Self.versions.last { try LibrarySample.recordMissing(version) }
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy(version, in: directory)
        let lines = try LibraryDump.lines(Library(path: path) { UTCTime.newYear })
        let text = lines.map { $0 + "\n" }.joined()
        let name = "library-\(version).txt"
        if LibrarySample.isRecording { LibrarySample.write(Array(text.utf8), to: name) }
        #expect(text == String(decoding: ScratchDirectory.bytes(of: LibrarySample.folder + name), as: UTF8.self))
    }

    @Test("A library of a later version is refused and not changed")
    func newer() throws {
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy(#require(Self.versions.last), in: directory)
        let later = try DatabaseQueue(path: path)
        try later.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('of tomorrow')") }
        try later.close()
        let before = directory.read("library.db")
        let error = #expect(throws: LibraryError.self) { try Library(path: path) { UTCTime.newYear } }
        #expect(error?.kind == .newer)
        #expect(firstDifference(directory.read("library.db"), before) == nil)
        #expect(directory.names == ["library.db"])
    }
}
