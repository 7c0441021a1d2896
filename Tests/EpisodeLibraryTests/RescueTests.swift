// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Glibc
import Media
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Rescue of a damaged library")
struct RescueTests {
    private let stage: LibraryStage
    private let podcast: Int64
    private let ids: [Int64]
    private var directory: ScratchDirectory { stage.directory }
    /// Creates three episodes: one with a position and a bookmark, one played, one untouched.
    init() throws {
        stage = try LibraryStage()
        podcast = try stage.library.subscribe(
            Subscription(feedURL: "https://host.example/feed.xml", login: Login(user: "me", password: "secret"))).id
        ids = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: podcast).new
        try stage.library.save(PlaybackPosition(position: .seconds(90)), of: ids[0], .act)
        try stage.library.addBookmark(ids[0], at: .seconds(7))
        try stage.library.finish(ids[1], heard: nil)
        try stage.library.requestDownload(ids[1], by: .listener)
        try stage.library.set("keep-days", to: "3")
    }

    private func open(_ tell: (LibraryRescue) -> Void = { _ in }) throws(LibraryError) -> Library {
        try LibraryRescue.open(stage.path, now: { .newYear }, tell)
    }

    private func expectListenersPart(_ library: Library) throws {
        #expect(try library.podcasts().map(\.feedURL) == ["https://host.example/feed.xml"])
        #expect(try library.login(for: podcast)?.password == "secret")
        #expect(try library.position(of: ids[0])?.position == .seconds(90))
        #expect(try library.bookmarks(of: ids[0]).map(\.position) == [.seconds(7)])
        #expect(try library.episode(ids[1]).progress == .played)
        #expect(try library.downloads().map(\.episode) == [ids[1]])
        #expect(try library.settings() == ["keep-days": "3"])
    }

    private func files(_ part: String) -> [String] { directory.names.filter { $0.contains(part) } }

    private func spoil(_ bytes: [UInt8]) throws {
        try stage.library.close()
        try directory.write(bytes, to: "library.db")
    }

    static let garbage = [UInt8](repeating: 7, count: 8192)

    @Test(
        "The backup restores the user's data from any damage, and the damaged file is kept",
        arguments: [garbage, [UInt8](repeating: 0, count: 8192), [1, 2, 3], Array("SQLite format 3\0".utf8)])
    func backup(left: [UInt8]) throws {
        try stage.library.keepBackup()
        try spoil(left)
        var rescue: LibraryRescue?
        let library = try open { rescue = $0 }
        try expectListenersPart(library)
        #expect(rescue?.podcasts == 1 && rescue?.episodes == 2 && rescue?.backupTime != nil)
        #expect(try ScratchDirectory.bytes(of: #require(rescue?.aside)) == left)
        #expect(files("damaged").count == 1 && files("unfinished").isEmpty && files("rescued").isEmpty)
    }

    @Test("A missing or empty library is restored from the backup", arguments: [false, true])
    func gone(isThere: Bool) throws {
        try stage.library.keepBackup()
        try spoil([])
        if !isThere { unlink(stage.path) }
        #expect(LibraryRescue.looksDamaged(stage.path))
        var rescue: LibraryRescue?
        try expectListenersPart(open { rescue = $0 })
        #expect(rescue?.podcasts == 1)
    }

    @Test("Without a backup an empty file becomes a new library, and a corrupt file is kept aside")
    func withoutBackup() throws {
        try spoil([])
        var rescue: LibraryRescue?
        var library = try open { rescue = $0 }
        #expect(try rescue == nil && library.podcasts().isEmpty)
        try library.close()
        try directory.write(Self.garbage, to: "library.db")
        library = try open { rescue = $0 }
        #expect(rescue?.podcasts == 0 && rescue?.backupTime == nil)
        #expect(try library.podcasts().isEmpty)
        #expect(try ScratchDirectory.bytes(of: #require(rescue?.aside)) == Self.garbage)
    }

    @Test("The next refresh fetches the rest without duplicates")
    func refreshed() throws {
        try stage.library.keepBackup()
        try spoil(Self.garbage)
        let library = try open()
        let document = [ParsedEpisode.numbered(3), .numbered(2), .numbered(1)]
        let report = try stage.merge(document, into: podcast, in: library)
        #expect(report.new.count == 1 && report.changed == 2)
        #expect(try library.episodes(limit: 9).episodes.map(\.name) == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(try library.notes(of: ids[0]).html == "<p>About number 3.</p>")
        while try library.indexSome() > 0 {}
        #expect(try library.search("number", limit: 9).count == 3)
        try expectListenersPart(library)
    }

    @Test("Readable data of the damaged file takes precedence over the backup")
    func newer() throws {
        try stage.library.keepBackup()
        try stage.library.save(PlaybackPosition(position: .seconds(200)), of: ids[0], .act)
        try stage.library.close()
        try zero(rootPageOf: "bookmark")
        let library = try open()
        #expect(throws: LibraryError.self) { try library.bookmarks() }
        try library.close()
        let rescue = try LibraryRescue.rescue(stage.path, isDamaged: true) { .newYear }
        #expect(rescue?.podcasts == 1 && rescue?.episodes == 3)
        let again = try open()
        #expect(try again.position(of: ids[0])?.position == .seconds(200))
        #expect(try again.bookmarks().count == 1)
        #expect(try again.notes(of: ids[2]).html == "<p>About number 1.</p>")
    }

    private func zero(rootPageOf table: String) throws {
        let page = try DatabaseQueue(path: stage.path).read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
        }
        var bytes = directory.read("library.db")
        let start = (try #require(page) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0, count: 4096))
        try directory.write(bytes, to: "library.db")
    }

    @Test("A library that another process has open is not replaced")
    func inUse() throws {
        try stage.library.keepBackup()
        try stage.library.close()
        try zero(rootPageOf: "bookmark")
        let before = directory.read("library.db")
        let other = try Library(path: stage.path) { .newYear }
        let error = #expect(throws: LibraryError.self) {
            try LibraryRescue.rescue(stage.path, isDamaged: true) { .newYear }
        }
        #expect(error?.kind == .damaged && error?.reason.contains("quit that one first") == true)
        #expect(firstDifference(directory.read("library.db"), before) == nil && files("damaged").isEmpty)
        try other.close()
        #expect(try LibraryRescue.rescue(stage.path, isDamaged: true) { .newYear } != nil)
    }

    @Test("An intact library or one of a later version is not changed")
    func whole() throws {
        try stage.library.close()
        #expect(try LibraryRescue.rescue(stage.path, isDamaged: true) { .newYear } == nil)
        let later = try DatabaseQueue(path: stage.path)
        try later.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('of tomorrow')") }
        try later.close()
        let error = #expect(throws: LibraryError.self) { try open() }
        #expect(error?.kind == .newer && files("damaged").isEmpty)
    }

    @Test("A lock held by another process is not damage")
    func locked() throws {
        try stage.library.keepBackup()
        let other = try DatabaseQueue(path: stage.path)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            try expectListenersPart(open())
            try db.execute(sql: "ROLLBACK")
        }
        #expect(files("damaged").isEmpty)
    }

    @Test("An interrupted rescue is repeated or completed", arguments: ["unfinished", "rescued", "moved"])
    func brokenOff(step: String) throws {
        try stage.library.keepBackup()
        try stage.library.close()
        let whole = directory.read("library.db")
        switch step {
        case "unfinished":
            try directory.write(whole.prefix(5000), to: "library.db.unfinished")
            try directory.write(Self.garbage, to: "library.db")
        case "rescued":
            try directory.write(whole, to: "library.db.rescued")
            try directory.write(Self.garbage, to: "library.db")
        default:
            try directory.write(whole, to: "library.db.rescued")
            unlink(stage.path)
        }
        try expectListenersPart(open())
        #expect(files("rescued").isEmpty && files("unfinished").isEmpty)
    }

    @Test("The backup is written again after an hour, and when subscriptions change")
    func due() throws {
        let time = { LibraryFiles(library: stage.path).time(stage.path + ".backup") ?? 0 }
        try stage.library.keepBackup()
        try age(of: 600)
        let before = time()
        try stage.library.keepBackup()
        #expect(time() == before)
        _ = try stage.subscribe("https://other.example/feed.xml")
        try stage.library.keepBackup()
        #expect(time() > before)
        try age(of: 4000)
        let old = time()
        try stage.library.keepBackup()
        #expect(time() > old)
        var status = stat()
        #expect(stat(stage.path + ".backup", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    private func age(of seconds: Int) throws {
        let time = timespec(tv_sec: Glibc.time(nil) - seconds, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, stage.path + ".backup", [time, time], 0) == 0)
    }

    @Test("A library without podcasts gets no backup")
    func empty() throws {
        let stage = try LibraryStage()
        try stage.library.keepBackup()
        #expect(!stage.directory.names.contains("library.db.backup"))
    }
}

/// Destroys any page or the end of a library: after a rescue the library is fully usable and contains the data of the
/// backup.
@Suite("Rescue from any damage")
struct AnyDamageRescueTests {
    private static let page = 4096

    private func prepared() throws -> (library: [UInt8], backup: [UInt8]) {
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy("1", in: directory)
        let library = try Library(path: path) { .newYear }
        try library.keepBackup()
        try library.close()
        return (directory.read("library.db"), directory.read("library.db.backup"))
    }

    private func use(_ library: Library) throws(LibraryError) {
        _ = try LibraryDump.lines(library)
        try library.save(PlaybackPosition(position: .seconds(95)), of: 1, .act)
        try library.mark([3], played: true)
        _ = try library.undo()
        try library.emptyTrash()
    }

    /// Returns true if the library is usable and a complete check finds no damage.
    private func isGood(_ library: Library) throws(LibraryError) -> Bool {
        do throws(LibraryError) {
            try use(library)
            return try library.health().damage.isEmpty
        } catch where error.kind == .damaged {
            return false
        }
    }

    /// - Returns: true if the library was rescued.
    private func expectRescue(_ bytes: [UInt8], _ backup: [UInt8], _ comment: Comment) throws -> Bool {
        let directory = ScratchDirectory()
        let path = try directory.write(bytes, to: "library.db")
        try directory.write(backup, to: "library.db.backup")
        var isRescued = false
        var library = try LibraryRescue.open(path, now: { .newYear }) { _ in isRescued = true }
        if try !isGood(library) {
            try library.close()
            isRescued = try LibraryRescue.rescue(path, isDamaged: true) { .newYear } != nil
            library = try LibraryRescue.open(path, now: { .newYear }) { _ in }
            #expect(try isGood(library), comment)
        }
        let feeds = try library.podcasts().map(\.feedURL).sorted()
        #expect(feeds == ["https://host.example/news.xml", "https://host.example/tales.xml"], comment)
        #expect(try library.episode(4).progress == .played, comment)
        return isRescued
    }

    @Test("A zeroed page")
    func pages() throws {
        let (whole, backup) = try prepared()
        var rescues = 0
        for start in stride(from: 0, to: whole.count, by: LongTests.size(2, inFull: 1) * Self.page) {
            var bytes = whole
            bytes.replaceSubrange(start..<start + Self.page, with: repeatElement(0, count: Self.page))
            // Damage that normal use does not read is found by the complete check.
            if try expectRescue(bytes, backup, "page \(start / Self.page)") { rescues += 1 }
        }
        #expect(rescues > LongTests.size(7, inFull: 15))
    }

    @Test("A truncated file")
    func cut() throws {
        let (whole, backup) = try prepared()
        var rescues = 0
        for count in stride(from: 0, to: whole.count, by: 5 * Self.page + 700) {
            if try expectRescue(Array(whole.prefix(count)), backup, "\(count) bytes") { rescues += 1 }
        }
        #expect(rescues > 3)
    }
}
