// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Glibc
import Media
import ProgressiveDownload
import Testing

@Suite("Incomplete automatic downloads")
struct UnfinishedRuleDownloadTests {
    private let stage: LibraryStage
    private let downloads: LibraryDownloads
    private let directory: KeepDirectory
    private var library: Library { stage.library }
    private var rules: LibraryRules { LibraryRules(library, downloads) }

    /// Creates a podcast with three episodes; a rule has stored a part of the second one.
    init() throws {
        stage = try LibraryStage()
        directory = KeepDirectory(path: stage.directory.path("kept"))
        try directory.create()
        downloads = LibraryDownloads(stage.library, in: directory)
        try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.subscribe())
        try library.requestDownload(2, by: .rule)
        try store(2, ".partial")
        try library.noteDownload(2, .partial, total: 1_000_000, extents: [0..<65_536])
    }

    private func path(_ episode: Int64, _ suffix: String) throws -> String {
        let keptAs = try #require(try library.download(of: episode)).keptAs
        return directory.location(forEnclosure: keptAs).path + suffix
    }

    /// Stores a file of 64 KiB.
    private func store(_ episode: Int64, _ suffix: String) throws {
        let name = try path(episode, suffix).dropFirst(stage.directory.path.count + 1)
        try stage.directory.write([UInt8](repeating: 1, count: 65_536), to: String(name))
    }

    private func set(_ key: SettingKey, _ text: String) throws {
        try library.set(key, to: SettingValue(parsing: text, for: key), for: nil)
    }

    private var stored: Int { stage.directory.names(in: "kept").count { $0 != "trash" } }
    private var trashed: Int { stage.directory.names(in: "kept/trash").count }

    @Test(
        "One that is no longer retried, because a newer episode takes its place, moves to the trash",
        arguments: [(SettingKey.keepNewest, "1"), (.keepTotal, "1.05MB")])
    func displaced(key: SettingKey, text: String) throws {
        try set(.autoDownload, "1")
        try set(key, text)
        #expect(try rules.removeOld().removals == [])
        #expect(try rules.requestNew() == [3])
        let tidying = try rules.removeOld()
        #expect(tidying.removals == [.init(episode: 2, because: key)] && tidying.trashed == 65_536)
        #expect(stored == 0 && trashed == 1)
    }

    @Test("One that is queued stays, and one that a process downloads stays until the download stops")
    func kept() throws {
        try set(.keepNewest, "1")
        try library.requestDownload(3, by: .rule)
        let file = open(try path(2, ".partial"), O_RDWR)
        let isLocked = flock(file, LOCK_EX) == 0
        #expect(isLocked)
        #expect(try rules.removeOld().removals == [])
        close(file)
        try library.enqueue([2])
        #expect(try rules.removeOld().removals == [])
        _ = try library.undo()
        #expect(try rules.removeOld().removals == [.init(episode: 2, because: .keepNewest)])
    }

    @Test("One whose retries ended uses only space that keep-total leaves, also beside older episodes")
    func abandoned() throws {
        try library.requestDownload(1, by: .rule)
        try store(1, "")
        try library.noteDownload(1, .complete, total: 65_536, extents: [0..<65_536])
        stage.pass(.seconds(7 * 86_400))
        try set(.keepTotal, "128KiB")
        #expect(try rules.removeOld().removals == [])
        try set(.keepTotal, "100KiB")
        #expect(try rules.removeOld().removals == [.init(episode: 2, because: .keepTotal)])
        #expect(stored == 1)
    }
}
