// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("Requested downloads")
struct DownloadTests {
    private func stage() throws -> (LibraryStage, Int64) {
        let stage = try LibraryStage()
        return (stage, try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0])
    }

    @Test("The file keeps the name of the first request when the feed changes")
    func name() throws {
        let (stage, id) = try stage()
        try stage.library.requestDownload(id, by: .listener)
        try stage.merge([.numbered(1, url: "https://host.example/other.mp3")], into: 1)
        try stage.library.requestDownload(id, by: .listener)
        #expect(try stage.library.downloads().map(\.keptAs) == ["https://host.example/1.mp3"])
    }

    @Test(
        "A request by the user has the highest priority, and a weaker one changes nothing",
        arguments: [
            (Download.Reason.rule, Download.Reason.listener, Download.Reason.listener),
            (.listener, .rule, .listener), (.playing, .rule, .playing), (.rule, .playing, .rule),
        ])
    func wishes(first: Download.Reason, second: Download.Reason, expected: Download.Reason) throws {
        let (stage, id) = try stage()
        try stage.library.requestDownload(id, by: first)
        try stage.library.requestDownload(id, by: second)
        #expect(try stage.library.download(of: id)?.requestedBy == expected)
    }

    @Test("The stored bytes are counted, and a complete download has a time")
    func progress() throws {
        let (stage, id) = try stage()
        try stage.library.requestDownload(id, by: .listener)
        try stage.library.noteDownload(id, .partial, total: 100, extents: [0..<10, 50..<60])
        var download = try #require(try stage.library.download(of: id))
        #expect(download.storedBytes == 20 && download.state == .partial && download.finishedAt == nil)
        try stage.library.noteDownload(id, .complete, total: 100, extents: [0..<100])
        stage.pass(.seconds(5))
        try stage.library.noteDownload(id, .complete, total: 100, extents: [0..<100])
        download = try #require(try stage.library.download(of: id))
        #expect(download.finishedAt?.secondsSince1970 == LibraryStage.newYear)
        #expect(try stage.library.episode(id).download == .complete)
    }

    @Test("A removed download stays in the trash, and a new request restores it")
    func trash() throws {
        let (stage, id) = try stage()
        try stage.library.requestDownload(id, by: .rule)
        try stage.library.removeDownloads([id])
        #expect(try stage.library.downloads().isEmpty)
        #expect(try stage.library.removedDownloads().map(\.episode) == [id])
        #expect(try stage.library.episode(id).download == nil)
        try stage.library.requestDownload(id, by: .listener)
        #expect(try stage.library.downloads().map(\.requestedBy) == [.listener])
    }

    @Test("Only a download in the trash is forgotten, and its removal is remembered")
    func forgotten() throws {
        let (stage, id) = try stage()
        try stage.library.requestDownload(id, by: .listener)
        try stage.library.noteDownload(id, .complete, total: 1, extents: [0..<1])
        try stage.library.forgetDownload(id)
        #expect(try stage.library.downloads().map(\.state) == [.complete])
        try stage.library.removeDownloads([id], byRule: true)
        try stage.library.forgetDownload(id)
        let removed = try stage.library.removedDownloads()
        #expect(removed.map(\.state) == [.wanted] && removed.map(\.storedBytes) == [0])
    }

    @Test("Progress without a request is ignored")
    func unwanted() throws {
        let (stage, id) = try stage()
        try stage.library.noteDownload(id, .partial, total: 1, extents: [])
        #expect(try stage.library.download(of: id) == nil)
    }
}
