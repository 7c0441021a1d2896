// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Glibc
import Media
import Testing

@Suite("Incomplete automatic downloads")
struct UnfinishedRuleDownloadTests {
    private let stage: RuleStage
    private var library: Library { stage.library }
    private var rules: LibraryRules { stage.rules }

    /// Creates a podcast with three episodes; a rule has stored a part of the second one.
    init() throws {
        stage = try RuleStage()
        try stage.base.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.base.subscribe())
        try library.requestDownload(2, by: .rule)
        try stage.store(2, ".partial")
        try library.noteDownload(2, .partial, total: 1_000_000, extents: [0..<65_536])
    }

    @Test(
        "One that is no longer retried, because a newer episode takes its place, moves to the trash",
        arguments: [(SettingKey.keepNewest, "1"), (.keepTotal, "1.05MB")])
    func displaced(key: SettingKey, text: String) throws {
        try stage.set(.autoDownload, "1")
        try stage.set(key, text)
        #expect(try rules.removeOld().removals == [])
        #expect(try rules.requestNew() == [3])
        let tidying = try rules.removeOld()
        #expect(tidying.removals == [.init(episode: 2, because: key)] && tidying.trashed == 65_536)
        #expect(stage.stored == 0 && stage.trashed == 1)
    }

    @Test("One that is queued stays, and one that a process downloads stays until the download stops")
    func kept() throws {
        try stage.set(.keepNewest, "1")
        try library.requestDownload(3, by: .rule)
        let file = open(try stage.path(2, ".partial"), O_RDWR)
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
        try stage.store(1)
        try library.noteDownload(1, .complete, total: 65_536, extents: [0..<65_536])
        stage.base.pass(.seconds(7 * 86_400))
        try stage.set(.keepTotal, "128KiB")
        #expect(try rules.removeOld().removals == [])
        try stage.set(.keepTotal, "100KiB")
        #expect(try rules.removeOld().removals == [.init(episode: 2, because: .keepTotal)])
        #expect(stage.stored == 1)
    }
}
