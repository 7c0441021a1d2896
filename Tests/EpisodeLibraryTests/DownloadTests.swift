// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Podcasts
import Testing

@Suite("What is wanted on this machine")
struct DownloadTests {
    private func stage() throws -> (LibraryStage, Int64) {
        let stage = try LibraryStage()
        return (stage, try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0])
    }

    @Test("its file keeps the name of the first wish, whatever the feed says later")
    func name() throws {
        let (stage, id) = try stage()
        try stage.library.want(id, by: .listener)
        try stage.merge([.numbered(1, url: "https://host.example/other.mp3")], into: 1)
        try stage.library.want(id, by: .listener)
        #expect(try stage.library.downloads().map(\.keptAs) == ["https://host.example/1.mp3"])
    }

    @Test(
        "a listener's wish is the strongest; a weaker one changes nothing",
        arguments: [
            (Download.WantedBy.rule, Download.WantedBy.listener, Download.WantedBy.listener),
            (.listener, .rule, .listener), (.playing, .rule, .playing), (.rule, .playing, .rule),
        ])
    func wishes(first: Download.WantedBy, second: Download.WantedBy, expected: Download.WantedBy) throws {
        let (stage, id) = try stage()
        try stage.library.want(id, by: first)
        try stage.library.want(id, by: second)
        #expect(try stage.library.download(of: id)?.wantedBy == expected)
    }

    @Test("what has come is counted; whole, it has a time")
    func progress() throws {
        let (stage, id) = try stage()
        try stage.library.want(id, by: .listener)
        try stage.library.noteDownload(id, .partial, total: 100, extents: [0..<10, 50..<60])
        var download = try #require(try stage.library.download(of: id))
        #expect(download.heldBytes == 20 && download.state == .partial && download.finishedAt == nil)
        try stage.library.noteDownload(id, .complete, total: 100, extents: [0..<100])
        stage.pass(.seconds(5))
        try stage.library.noteDownload(id, .complete, total: 100, extents: [0..<100])
        download = try #require(try stage.library.download(of: id))
        #expect(download.finishedAt?.secondsSince1970 == LibraryStage.newYear)
        #expect(try stage.library.episode(id).download == .complete)
    }

    @Test("what is removed waits in the trash, and comes back when it is wanted again")
    func trash() throws {
        let (stage, id) = try stage()
        try stage.library.want(id, by: .rule)
        try stage.library.removeDownloads([id])
        #expect(try stage.library.downloads().isEmpty)
        #expect(try stage.library.removedDownloads().map(\.episode) == [id])
        #expect(try stage.library.episode(id).download == nil)
        try stage.library.want(id, by: .listener)
        #expect(try stage.library.downloads().map(\.wantedBy) == [.listener])
    }

    @Test("only what is in the trash is forgotten; that it was removed is not")
    func forgotten() throws {
        let (stage, id) = try stage()
        try stage.library.want(id, by: .listener)
        try stage.library.noteDownload(id, .complete, total: 1, extents: [0..<1])
        try stage.library.forgetDownload(id)
        #expect(try stage.library.downloads().map(\.state) == [.complete])
        try stage.library.removeDownloads([id], byRule: true)
        try stage.library.forgetDownload(id)
        let removed = try stage.library.removedDownloads()
        #expect(removed.map(\.state) == [.wanted] && removed.map(\.heldBytes) == [0])
    }

    @Test("progress of what nobody wants is nothing")
    func unwanted() throws {
        let (stage, id) = try stage()
        try stage.library.noteDownload(id, .partial, total: 1, extents: [])
        #expect(try stage.library.download(of: id) == nil)
    }
}
