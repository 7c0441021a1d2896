// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
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
        var builder = MP3Builder()
        builder.addFrames(100)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let answer = ScriptedTransport.serve(builder.bytes)
        let transport = ScriptedTransport([answer, answer])
        let recorder = DownloadRecorder(LibraryDownloads(stage.library.whilePlaying, in: folders))
        let downloader = TargetDownloader(
            resolver: TargetResolver(transport: transport, library: LibraryTargets(stage.library)),
            sources: EnclosureSources(transport: transport, keeping: folders, recorder: recorder, logger: logger),
            recorder: recorder)
        var failures: [MediaFailure.Kind] = []
        for await event in downloader.download(["\(episode)"], nil, to: nil) {
            if case .failed(let failure, _) = event { failures.append(failure.kind) }
        }
        return failures
    }
}
