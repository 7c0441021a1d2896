// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Testing

@testable import EpisodeSources

@Suite("The issue to play if an address has had several")
struct KeptIssueTests {
    private typealias Server = ScriptedTransport
    private let stage: LibraryStage
    private var library: Library { stage.library }
    private let folders: KeepFolders
    private static let latest = "https://host.example/latest.mp3"

    init() throws {
        stage = try LibraryStage()
        folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
    }

    private static func audio(_ frames: Int) -> [UInt8] {
        var builder = MP3Builder()
        builder.addFrames(frames)
        return builder.bytes
    }
    private let first = audio(100)
    private let second = audio(120)

    /// The sources of one process.
    private func sources(_ transport: Server) -> EnclosureSources {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let recorder = DownloadRecorder(LibraryDownloads(library, in: folders))
        return EnclosureSources(transport: transport, keeping: folders, recorder: recorder, logger: logger)
    }

    /// Plays an item with a server that gives these answers; returns the bytes and the requests.
    private func play(
        _ resolved: ResolvedEpisode, until isEnough: @escaping @Sendable (DownloadProgress) -> Bool = { $0.isOver },
        _ answers: Server.Answer...
    ) async throws -> ([UInt8], [HTTPRequest]) {
        let transport = Server(answers)
        let sources = sources(transport)
        _ = await sources.prepare(resolved)
        let source = try sources.source(of: resolved)
        #expect(await eventually { isEnough(source.downloadProgress) })
        let bytes = ByteSourceContract.readAll(source, bufferSize: 4096)
        source.close()
        await sources.recordDownloads(atMost: TimeLimit.event)
        return (bytes, transport.requests)
    }

    private var bare: ResolvedEpisode {
        ResolvedEpisode(title: "A", location: "", origin: .remote(url: Self.latest))
    }

    private func resolved(_ episode: Int64) throws -> ResolvedEpisode {
        try LibraryTargets(library).resolved(library.episode(episode))
    }

    private func serve(_ content: [UInt8], _ etag: String) -> Server.Answer { Server.serve(content, etag: etag) }

    @Test(
        "A bare URL plays the server's newer file, or the stored one if it is unchanged or the server fails")
    func bareURL() async throws {
        #expect(try await play(bare, serve(first, "\"1\"")).0 == first)
        let same = try await play(bare, Server.status(304))
        #expect(same.0 == first && same.1.map(\.conditions.etag) == ["\"1\""])
        #expect(try await play(bare).0 == first)
        let newer = try await play(bare, serve(second, "\"2\""), serve(second, "\"2\""))
        #expect(newer.0 == second)
        #expect(try await play(bare, Server.status(304)).0 == second)
    }

    @Test("An interrupted newer file does not replace the stored one until it is complete")
    func brokenOff() async throws {
        _ = try await play(bare, serve(first, "\"1\""))
        let cut: Server.Answer = { [second] request in
            Array(Server.serve(second, etag: "\"2\"", cut: 20_000)(request).dropLast()) + [.hold]
        }
        _ = try await play(bare, until: { $0.extents.count >= 16_384 }, serve(second, "\"2\""), cut)
        #expect(try await play(bare).0 == first)
        let (bytes, requests) = try await play(bare, serve(second, "\"2\""), serve(second, "\"2\""))
        #expect(bytes == second)
        #expect((requests.last?.range ?? 0) > 0)
    }

    @Test("A server that confirms the stored file does not end the download of a newer one by another process")
    func confirmedMeanwhile() async throws {
        _ = try await play(bare, serve(first, "\"1\""))
        let cut: Server.Answer = { [second] request in
            Array(Server.serve(second, etag: "\"2\"", cut: 20_000)(request).dropLast()) + [.hold]
        }
        let transport = Server([serve(second, "\"2\""), cut])
        let other = sources(transport)
        _ = await other.prepare(bare)
        let source = try other.source(of: bare)
        #expect(await eventually { source.downloadProgress.extents.count >= 16_384 })
        #expect(try await play(bare, Server.status(304)).0 == first)
        #expect(stage.directory.names(in: "kept").contains { $0.hasSuffix(".next.partial") })
        source.close()
        await other.recordDownloads(atMost: TimeLimit.event)
    }

    @Test("Two episodes with the same address each keep their own audio")
    func sharedAddress() async throws {
        let podcast = try stage.subscribe()
        let one = try stage.merge([.numbered(1, url: Self.latest)], into: podcast).new[0]
        #expect(try await play(resolved(one), serve(first, "\"1\"")).0 == first)
        let two = try stage.merge([.numbered(8, url: Self.latest)], into: podcast, isComplete: false).new[0]
        #expect(try await play(resolved(two), serve(second, "\"2\"")).0 == second)
        let again = try await play(resolved(one))
        #expect(again.0 == first && again.1.isEmpty)
        #expect(try await play(resolved(two), Server.status(304)).0 == second)
    }

    @Test("A stored episode is not requested again if its feed entry is unchanged except for a token")
    func untouched() async throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        try stage.merge([.numbered(1, url: "https://host.example/1.mp3?token=2")], into: podcast)
        let (bytes, requests) = try await play(resolved(id))
        #expect(bytes == first && requests.isEmpty)
    }

    @Test("New audio under the same GUID is fetched; while the server is unreachable the stored audio plays")
    func laterAudio() async throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        try stage.merge([.numbered(2, guid: "g1")], into: podcast)
        #expect(try await play(resolved(id)).0 == first)
        #expect(try await play(resolved(id), serve(second, "\"2\""), serve(second, "\"2\"")).0 == second)
        let (bytes, requests) = try await play(resolved(id))
        #expect(bytes == second && requests.isEmpty)
    }

    @Test("The same audio on another host is requested once")
    func otherHost() async throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        try stage.merge([.numbered(1, url: "https://cdn.example/1.mp3")], into: podcast)
        let moved = try await play(resolved(id), serve(first, "\"9\""))
        #expect(moved.0 == first && moved.1.count == 1)
        #expect(try await play(resolved(id)).1.isEmpty)
    }

    @Test("A stored episode plays even if its feed entry has no enclosure")
    func withoutEnclosure() async throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        var silent = ParsedEpisode.numbered(1)
        silent.enclosures = []
        try stage.merge([silent], into: podcast)
        let (bytes, requests) = try await play(resolved(id))
        #expect(bytes == first && requests.isEmpty)
    }

    @Test("A playing item has a download record from its first byte, and a failed one leaves none")
    func owned() async throws {
        let podcast = try stage.subscribe()
        let ids = try stage.merge([.numbered(2), .numbered(1)], into: podcast).new
        _ = try await play(resolved(ids[0]), serve(first, "\"1\""))
        _ = try await play(resolved(ids[1]), Server.status(404))
        #expect(try library.downloads().map(\.episode) == [ids[0]])
        #expect(try library.downloads().map(\.state) == [.complete])
        #expect(try OrphanFiles(in: folders, besides: library).find().isEmpty)
    }

    // MARK: Removed downloads

    /// Moves the episode's download to the trash, as `remove` does.
    private func remove(_ episode: Int64) throws {
        #expect(try LibraryDownloads(library, in: folders).remove([episode]) > 0)
    }

    @Test("A complete file in the trash is played without a request")
    func trashed() async throws {
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        try remove(id)
        let (bytes, requests) = try await play(resolved(id))
        #expect(bytes == first && requests.isEmpty)
        #expect(stage.directory.names(in: "kept/trash").isEmpty)
    }

    @Test("A partial file in the trash is continued")
    func trashedPart() async throws {
        let id = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        let cut: Server.Answer = { [first] request in
            Array(Server.serve(first, etag: "\"1\"", cut: 20_000)(request).dropLast()) + [.hold]
        }
        _ = try await play(resolved(id), until: { $0.extents.count >= 16_384 }, cut)
        try remove(id)
        let (bytes, requests) = try await play(resolved(id), serve(first, "\"1\""))
        #expect(bytes == first)
        #expect(requests.count == 1 && requests.allSatisfy { ($0.range ?? 0) > 0 }, "\(requests)")
        #expect(try library.downloads().map(\.episode) == [id])
    }

    @Test("A newer issue replaces the file in the trash")
    func trashedIssue() async throws {
        let podcast = try stage.subscribe()
        let id = try stage.merge([.numbered(1)], into: podcast).new[0]
        _ = try await play(resolved(id), serve(first, "\"1\""))
        try remove(id)
        try stage.merge([.numbered(2, guid: "g1")], into: podcast)
        #expect(try await play(resolved(id), serve(second, "\"2\""), serve(second, "\"2\"")).0 == second)
        let (bytes, requests) = try await play(resolved(id))
        #expect(bytes == second && requests.isEmpty)
    }
}
