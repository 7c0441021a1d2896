// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import Logging
import Media
import Testing

@testable import EpisodeSources

@Suite("PositionSaver", .timeLimit(.minutes(TimeLimit.factor)))
struct PositionKeeperTests {
    private let stage: LibraryStage

    init() throws {
        stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
    }

    private func keeper(_ library: Library) -> PositionSaver {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return PositionSaver(library, logger: logger)
    }

    private func save(_ seconds: Int) -> [PositionLog.Entry] {
        [.begin(episode: 1), .save(episode: 1, PlaybackPosition(position: .seconds(seconds)), .act)]
    }

    private func position(_ library: Library) throws -> Duration? { try library.position(of: 1)?.position }

    @Test("A position is in the library after `finish`")
    func saved() async throws {
        let keeper = keeper(stage.library)
        keeper.write(save(9))
        #expect(await keeper.finish() == .saved)
        #expect(try position(stage.library) == .seconds(9) && keeper.removeError() == nil)
    }

    @Test(
        "While another process holds the library the position goes to a separate file, which the next start reads")
    func held() async throws {
        let other = try LibraryHolder(stage.path)
        let keeper = keeper(stage.library)
        for second in 1...500 { keeper.write(save(second)) }
        guard case .savedToFallback(let error, let folder) = await keeper.finish() else {
            Issue.record("the position was not set aside")
            return
        }
        #expect(error.kind == .busy && keeper.removeError() == nil)
        #expect(folder == stage.path + "-positions")
        #expect(try position(stage.another()) == .seconds(500))
        try other.release()
        #expect(try position(stage.another()) == .seconds(500))
        #expect(try position(stage.library) == .seconds(500))
    }

    @Test("A position that the separate file does not have is reported as lost")
    func lostAfterHeld() async throws {
        let other = try LibraryHolder(stage.path)
        let keeper = keeper(stage.library)
        keeper.write(save(9))
        #expect(await eventually { keeper.fallbackFolder != nil })
        let moved = stage.path + ".moved"
        #expect(rename(stage.path, moved) == 0)
        keeper.write(save(10))
        guard case .lost(let error, isKnown: true) = await keeper.finish() else {
            Issue.record("the position was not reported as lost")
            return
        }
        #expect(error.kind == .inputOutput && keeper.fallbackFolder == nil)
        #expect(rename(moved, stage.path) == 0)
        try other.release()
        #expect(await keeper.finish() == .saved)
        #expect(stage.directory.names(in: "library.db-positions").isEmpty)
    }

    @Test("The progress of a download that cannot be recorded is not reported as a lost position")
    func downloadProgress() async throws {
        let other = try LibraryHolder(stage.path)
        let keeper = keeper(stage.library)
        keeper.write([.download(episode: 1, DownloadProgress(condition: .receiving))])
        #expect(await keeper.finish() == .saved)
        try other.release()
    }

    @Test("When the library is released, the position moves from the separate file into it")
    func letGo() async throws {
        let other = try LibraryHolder(stage.path)
        let keeper = keeper(stage.library)
        keeper.write(save(9))
        let folder = "library.db-positions"
        #expect(await eventually { !stage.directory.names(in: folder).isEmpty })
        try other.release()
        #expect(await eventually { (try? position(stage.library)) == .seconds(9) })
        #expect(await keeper.finish() == .saved)
        #expect(stage.directory.names(in: folder).isEmpty)
    }

    @Test("A sync that failed is reported although a later one succeeds")
    func syncFailure() async throws {
        let keeper = keeper(stage.library)
        keeper.write(save(9))
        #expect(await keeper.finish() == .saved)
        let (log, moved) = (stage.path + "-wal", stage.path + "-wal.moved")
        #expect(rename(log, moved) == 0)
        // A device that cannot be synced.
        #expect(symlink("/dev/null", log) == 0)
        keeper.write(save(10))
        let failed = await keeper.finish()
        #expect(unlink(log) == 0 && rename(moved, log) == 0)
        keeper.write(save(11))
        let last = await keeper.finish()
        guard case .lost(let error, isKnown: false) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(error.kind == .inputOutput && last == failed)
        #expect(try position(stage.library) == .seconds(11))
    }

    @Test("A log that cannot be opened for one sync is synced by the next one")
    func unopenedLog() async throws {
        let keeper = keeper(stage.library)
        keeper.write(save(9))
        #expect(await keeper.finish() == .saved)
        let (log, moved) = (stage.path + "-wal", stage.path + "-wal.moved")
        // A link to itself cannot be opened.
        #expect(rename(log, moved) == 0 && symlink(log, log) == 0)
        keeper.write(save(10))
        let failed = await keeper.finish()
        #expect(unlink(log) == 0 && rename(moved, log) == 0)
        keeper.write(save(11))
        #expect(await keeper.finish() == .saved)
        guard case .lost(let error, isKnown: false) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(error.kind == .notWritable)
    }

    @Test("A library that cannot be written is reported when the separate file has the first position, not before")
    func unwritableFromStart() async throws {
        let library = try stage.blockedCopy()
        let keeper = keeper(library)
        await keeper.settle()
        let early = keeper.removeError()
        keeper.write(save(9))
        await keeper.settle()
        let (error, folder) = (keeper.removeError(), keeper.fallbackFolder)
        #expect(early == nil && error?.kind == .notWritable)
        #expect(folder == library.path + "-positions")
        stage.unblockCopy()
        #expect(await eventually { (try? position(library)) == .seconds(9) })
    }

    @Test("A library that cannot be written is reported once; a separate file keeps the position until it is writable")
    func unwritable() async throws {
        let library = try stage.blockedCopy()
        let keeper = keeper(library)
        keeper.write(save(9))
        var trouble: LibraryError?
        #expect(
            await eventually {
                trouble = keeper.removeError()
                return trouble != nil
            })
        #expect(trouble?.kind == .notWritable)
        keeper.write(save(10))
        let folder = library.path + "-positions"
        #expect(await keeper.finish() == .savedToFallback(try #require(trouble), folder: folder))
        #expect(keeper.removeError() == nil)
        let now = library.currentTime
        let next = try Library(path: library.path) { now }
        #expect(try position(next) == .seconds(10))
        stage.unblockCopy()
        #expect(await eventually { (try? position(library)) == .seconds(10) })
        #expect(await keeper.finish() == .saved)
        #expect(!stage.directory.names.contains("library.db.copy-positions"))
    }
}
