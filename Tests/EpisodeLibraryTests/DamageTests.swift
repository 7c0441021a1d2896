// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("A damaged library")
struct DamageTests {
    private static let page = 4096
    private static let whole = ScratchDirectory.bytes(of: LibrarySample.path("1"))
    private static let pages = whole.count / page

    /// Reads and changes most of the library.
    private func use(_ path: String) throws(LibraryError) -> [String] {
        let library = try Library(path: path) { UTCTime.newYear }
        let lines = try LibraryDump.lines(library)
        try library.save(PlaybackPosition(position: .seconds(95)), of: 1, .act)
        try library.enqueue([1])
        try library.mark([3], played: true)
        _ = try library.undo()
        try library.unsubscribe(2)
        try library.emptyTrash()
        _ = try library.indexSome()
        return lines
    }

    @Test(
        "SQLite errors of a full disk are reported as a full disk, even from a read",
        arguments: [
            (.SQLITE_FULL, .full), (.SQLITE_IOERR_SHMSIZE, .full), (.SQLITE_IOERR_SHMOPEN, .full),
            (.SQLITE_IOERR_WRITE, .full), (.SQLITE_IOERR_READ, .inputOutput),
        ] as [(ResultCode, LibraryError.Kind)])
    func fullDisk(code: ResultCode, kind: LibraryError.Kind) {
        let error = LibraryError(DatabaseError(resultCode: code), at: "library.db")
        #expect(error.kind == kind && error.reason.contains("the disk is full") == (kind == .full))
    }

    @Test("A zeroed page is reported as damage, or has no effect")
    func zeros() throws {
        let directory = ScratchDirectory()
        let lines = try use(try directory.write(Self.whole, to: "whole.db"))
        var refusals = 0
        for start in stride(from: 0, to: Self.whole.count, by: Self.page) {
            var bytes = Self.whole
            bytes.replaceSubrange(start..<start + Self.page, with: repeatElement(0, count: Self.page))
            let path = try directory.write(bytes, to: "\(start / Self.page).db")
            do throws(LibraryError) {
                #expect(try use(path) == lines, "page \(start / Self.page)")
            } catch {
                refusals += 1
                #expect(error.kind == .damaged, "page \(start / Self.page): \(error)")
            }
        }
        #expect(refusals > 20)
    }

    /// Each part of a page with each page in a long run; otherwise each page with one of the parts.
    @Test("Partly zeroed pages cause no trap")
    func partsOfPages() throws {
        let directory = ScratchDirectory()
        var refusals = 0
        let parts = [1024, 2048, 3072, 3800]
        for page in 0..<Self.pages {
            for kept in LongTests.size([parts[page % parts.count]], inFull: parts) {
                var bytes = Self.whole
                let lost = page * Self.page + kept..<(page + 1) * Self.page
                bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
                let path = try directory.write(bytes, to: "\(page)-\(kept).db")
                do throws(LibraryError) { _ = try use(path) } catch { refusals += 1 }
            }
        }
        #expect(refusals > 5)
    }

    /// A header byte of a record stores the type of a column: a change can turn a number into a text or NULL.
    @Test("Changed bytes and column types cause no trap", arguments: 0..<4)
    func changedBytes(seed: UInt64) throws {
        let directory = ScratchDirectory()
        var random = SeededGenerator(seed: seed)
        for number in 0..<LongTests.size(15, inFull: 60) {
            var bytes = Self.whole
            for _ in 0..<40 {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...40, using: &random)
            }
            let path = try directory.write(bytes, to: "\(number).db")
            do throws(LibraryError) { _ = try use(path) } catch { #expect(!"\(error.reason)".isEmpty) }
        }
    }

    @Test("A column of a wrong type is reported as damage")
    func otherType() throws {
        let directory = ScratchDirectory()
        let path = try directory.write(Self.whole, to: "typed.db")
        try DatabaseQueue(path: path).write { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(sql: "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'playback'")
        }
        try DatabaseQueue(path: path).write { db in
            try db.execute(sql: "UPDATE playback SET position = 'elsewhere'")
        }
        let library = try Library(path: path) { UTCTime.newYear }
        #expect { try LibraryDump.lines(library) } throws: { ($0 as? LibraryError)?.kind == .damaged }
    }

    @Test("A truncated file is reported as damage, or has no effect")
    func cut() throws {
        let directory = ScratchDirectory()
        let lines = try use(try directory.write(Self.whole, to: "whole.db"))
        var refusals = 0
        // SQLite treats a file shorter than its header as a new one.
        for count in stride(from: 512, to: Self.whole.count, by: 3 * Self.page + 100) {
            let path = try directory.write(Self.whole.prefix(count), to: "\(count).db")
            do throws(LibraryError) {
                #expect(try use(path) == lines, "\(count) bytes")
            } catch {
                refusals += 1
                #expect(error.kind == .damaged, "\(count) bytes: \(error)")
            }
        }
        #expect(refusals >= 10)
    }
}
