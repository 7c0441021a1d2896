// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Logging
import Subscriptions
import Testing

@testable import EpisodeSources

@Suite("Chapters of the library's episodes")
struct LibraryChaptersTests {
    @Test("A player learns of lists that are read after it asked for them")
    func news() async throws {
        let stage = try LibraryStage()
        let episode = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let documents = ChapterDocumentRefresh(stage.library, transport: ScriptedTransport([]))
        let chapters = LibraryChapters(stage.library, documents: documents, logger: Logger(label: "test"))
        let (calls, send) = AsyncStream.makeStream(of: Int.self)
        chapters.onChange(of: episode) { send.yield(1) }
        #expect(chapters.lists(of: episode) == nil)
        chapters.read(episode)
        send.finish()
        var count = 0
        for await _ in calls { count += 1 }
        #expect(count == 1 && chapters.lists(of: episode) != nil)
    }
}
