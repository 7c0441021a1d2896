// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import Testing

/// After a loss of power the disk contains the data that SQLite has synced. A test cannot check the disk's own cache;
/// it can check that when a durable save returns, its data is in the two files and requires no third file, no later
/// checkpoint and no clean shutdown. SQLite syncs the log in such a save because of `synchronous = FULL` (SQLite,
/// "PRAGMA synchronous").
@Suite("A loss of power")
struct PowerLossTests {
    /// Opens copies of the library and its log as after a restart of the machine, without the shared-memory index.
    private func afterPowerLoss(
        _ stage: LibraryStage, cuttingLogTo count: Int? = nil
    ) throws -> (library: Library, directory: ScratchDirectory) {
        let directory = ScratchDirectory()
        let log = stage.directory.read("library.db-wal")
        try directory.write(log.prefix(count ?? log.count), to: "library.db-wal")
        let path = try directory.write(stage.directory.read("library.db"), to: "library.db")
        return (try Library(path: path) { .newYear }, directory)
    }

    @Test("Each durable save survives, with the periodic saves before it")
    func acts() throws {
        let stage = try LibraryStage()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: stage.subscribe()).new
        for step in 1...40 {
            try stage.library.save(PlaybackPosition(position: .seconds(step)), of: ids[0], .tick)
            try stage.library.save(PlaybackPosition(position: .seconds(step)), of: ids[1], .act)
            try stage.library.addBookmark(ids[1], at: .seconds(step))
            let (library, directory) = try afterPowerLoss(stage)
            #expect(try ids.map { try library.position(of: $0)?.position } == [.seconds(step), .seconds(step)])
            #expect(try library.bookmarks().count == step)
            withExtendedLifetime(directory) {}
        }
    }

    @Test("`makeDurable` stores earlier writes in the two files, even during concurrent writes")
    func madeDurable() async throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: stage.subscribe()).new[0]
        let library = stage.library
        for step in 1...20 {
            try library.save(PlaybackPosition(position: .seconds(step)), of: id, .tick)
            async let synced: Void = library.makeDurable()
            try library.save(PlaybackPosition(position: .milliseconds(step * 1000 + 500)), of: id, .tick)
            try await synced
            let (after, directory) = try afterPowerLoss(stage)
            #expect(try after.position(of: id)?.position == .milliseconds(step * 1000 + 500))
            withExtendedLifetime(directory) {}
        }
        try library.close()
        // Without a log, the call has no effect.
        try library.makeDurable()
    }

    @Test("A durable save survives the loss of any later part of the log")
    func ticksLost() throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: stage.subscribe()).new[0]
        try stage.library.save(PlaybackPosition(position: .seconds(10)), of: id, .act)
        let kept = stage.directory.read("library.db-wal").count
        for second in 11...30 { try stage.library.save(PlaybackPosition(position: .seconds(second)), of: id, .tick) }
        let whole = stage.directory.read("library.db-wal").count
        #expect(whole > kept)
        var last = Duration.zero
        for count in stride(from: kept, through: whole, by: 1000) {
            let (library, directory) = try afterPowerLoss(stage, cuttingLogTo: count)
            let position = try #require(try library.position(of: id)?.position)
            #expect(position >= max(last, .seconds(10)) && position <= .seconds(30))
            last = position
            withExtendedLifetime(directory) {}
        }
    }
}
