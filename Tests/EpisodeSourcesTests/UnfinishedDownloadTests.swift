// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Feeds
import Glibc
import Logging
import Media
import ProgressiveDownload
import Testing

@testable import EpisodeSources

@Suite("A download whose file cannot get its final name, or that cannot be recorded")
struct UnfinishedDownloadTests {
    @Test("It fails with the reason, is not listed as complete, and is retried")
    func fails() async throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        let downloads = LibraryDownloads(stage.library, in: folders)
        // A folder with the name of the file.
        let place = folders.location(forEnclosure: "https://host.example/1.mp3", in: nil)
        try KeepDirectory(path: place.path).create()
        #expect(await failures(of: id, stage, folders) == [.inputOutput])
        #expect(try downloads.pending().map { $0.libraryEntry?.episode } == [id])
        rmdir(place.path)
        #expect(await failures(of: id, stage, folders) == [])
        #expect(place.presence == .complete)
        try downloads.survey()
        #expect(try stage.library.download(of: id)?.state == .complete)
    }

    @Test(
        "It is reported if another process holds the library locked, and the next download records it",
        arguments: [false, true])
    func locked(isRequested: Bool) async throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        if isRequested { try stage.library.requestDownload(id, by: .listener) }
        let holder = try LibraryHolder(stage.path)
        #expect(await failures(of: id, stage, folders) == [.temporary])
        #expect(folders.location(forEnclosure: "https://host.example/1.mp3", in: nil).presence == .complete)
        try holder.release()
        #expect(try stage.library.download(of: id)?.state == (isRequested ? .wanted : nil))
        #expect(await failures(of: id, stage, folders) == [])
        #expect(try stage.library.download(of: id)?.state == .complete)
    }

    /// Downloads the episode and returns the failures.
    private func failures(of episode: Int64, _ stage: LibraryStage, _ folders: KeepFolders) async -> [MediaFailure.Kind]
    {
        let transport = ScriptedTransport([DownloadScene.answer, DownloadScene.answer])
        let downloader = DownloadScene.downloader(stage, folders, transport)
        var failures: [MediaFailure.Kind] = []
        for await event in downloader.download(["\(episode)"], nil, to: nil) {
            if case .failed(let failure, _) = event { failures.append(failure.kind) }
        }
        return failures
    }
}

@Suite("Pending downloads")
struct PendingDownloadTests {
    @Test("An episode whose podcast was unsubscribed during an earlier download is not downloaded")
    func unsubscribed() async throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        for id in try stage.merge([.numbered(2), .numbered(1)], into: podcast).new {
            try stage.library.requestDownload(id, by: .rule)
        }
        let folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        let (library, answer) = (stage.library, DownloadScene.answer)
        let unsubscribing: ScriptedTransport.Answer = { request in
            try? library.unsubscribe(podcast)
            return answer(request)
        }
        let transport = ScriptedTransport([unsubscribing, answer, answer])
        let downloader = DownloadScene.downloader(stage, folders, transport)
        for await _ in downloader.pending(of: LibraryDownloads(library, in: folders)) {}
        #expect(try library.podcasts().isEmpty)
        #expect(transport.requests.allSatisfy { $0.url == "https://host.example/1.mp3" })
    }

    @Test("An episode that another process downloads is skipped by a rule, and is never recorded as failed")
    func downloadedElsewhere() async throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        try stage.library.requestDownload(id, by: .rule)
        let folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        let place = folders.location(forEnclosure: "https://host.example/1.mp3", in: nil)
        try KeepDirectory(path: place.directory).create()
        let file = open(place.path + ".partial", O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        let isLocked = flock(file, LOCK_EX) == 0
        #expect(isLocked)
        let downloads = LibraryDownloads(stage.library, in: folders)
        let downloader = DownloadScene.downloader(stage, folders, ScriptedTransport([]))
        var (events, failures) = (0, [String]())
        for await _ in downloader.pending([id], of: downloads, byRule: true) { events += 1 }
        for await event in downloader.pending(of: downloads) {
            if case .failed(let failure, _) = event { failures.append(failure.reason) }
        }
        #expect(events == 0 && failures == ["another earshot process is downloading it"])
        let download = try #require(try stage.library.download(of: id))
        #expect(download.state != .failed && download.failure == nil)
    }
}

/// A short MP3 file, and a downloader that records in a library.
private enum DownloadScene {
    static var answer: ScriptedTransport.Answer {
        var builder = MP3Builder()
        builder.addFrames(100)
        return ScriptedTransport.serve(builder.bytes)
    }

    static func downloader(
        _ stage: LibraryStage, _ folders: KeepFolders, _ transport: ScriptedTransport
    ) -> TargetDownloader {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let recorder = DownloadRecorder(LibraryDownloads(stage.library.whilePlaying, in: folders))
        return TargetDownloader(
            resolver: TargetResolver(transport: transport, library: LibraryTargets(stage.library)),
            sources: EnclosureSources(transport: transport, keeping: folders, recorder: recorder, logger: logger),
            recorder: recorder)
    }
}
