// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Logging
import Media
import ProgressiveDownload
import Subscriptions
import Testing

@testable import EpisodeSources

@Suite("Fetching the feed again when an episode's address has expired")
struct EnclosureRenewalTests {
    private typealias Server = ScriptedTransport
    private static let expired = "https://host.example/1.mp3?token=1"
    private static let fresh = "https://host.example/1.mp3?token=2"
    private let stage: LibraryStage
    private let podcast: Int64
    private let episode: Int64
    private var library: Library { stage.library }

    init() throws {
        stage = try LibraryStage()
        podcast = try stage.subscribe()
        episode = try stage.merge([.numbered(1, url: Self.expired)], into: podcast).new[0]
    }

    private static let audio: [UInt8] = {
        var builder = MP3Builder()
        builder.addFrames(100)
        return builder.bytes
    }()

    /// Returns the answer of a feed whose only episode has this address.
    private static func feed(_ url: String) -> Server.Answer {
        let text = """
            <?xml version="1.0"?><rss version="2.0"><channel><title>Harbour Tales</title>
            <item><title>Episode 1</title><guid>g1</guid><pubDate>Thu, 02 Jan 2025 00:00:00 GMT</pubDate>
            <enclosure url="\(url)" type="audio/mpeg" length="1000000"/></item></channel></rss>
            """
        return Server.status(200, ["content-type": "application/rss+xml"], body: Array(text.utf8))
    }

    /// Downloads the episode for playback.
    /// - Returns: how the download ended, and the addresses that were requested.
    private func play(
        _ audio: [Server.Answer], feeds: Server
    ) async throws -> (condition: DownloadProgress.Condition, requests: [String]) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let transport = Server(audio)
        let sources = EnclosureSources(
            transport: transport, keeping: KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept"))),
            renewal: EnclosureRenewal(library, transport: feeds), logger: logger)
        let source = try sources.source(of: LibraryTargets(library).resolved(library.episode(episode)))
        #expect(await eventually { source.downloadProgress.isOver })
        defer { source.close() }
        return (source.downloadProgress.condition, transport.requests.map(\.url))
    }

    @Test("If the server rejects the stored address, the feed's new address is used and stored", arguments: [403, 410])
    func renewed(status: Int) async throws {
        let feeds = Server([Self.feed(Self.fresh)])
        let (condition, requests) = try await play([Server.status(status), Server.serve(Self.audio)], feeds: feeds)
        #expect(condition == .complete)
        #expect(requests == [Self.expired, Self.fresh])
        #expect(feeds.requests.map(\.url) == ["https://host.example/feed.xml"])
        #expect(try library.episode(episode).enclosureURL == Self.fresh)
    }

    @Test("A feed with the same address is no help, and the failure says so")
    func same() async throws {
        let (condition, requests) = try await play([Server.status(403)], feeds: Server([Self.feed(Self.expired)]))
        #expect(
            condition == .failed(
                MediaFailure(.forbidden, "the server answered 403 Forbidden; the feed has no new URL")))
        #expect(requests == [Self.expired])
    }

    @Test(
        "If the feed is gone or cannot be read, the failure gives the reason",
        arguments: [(410, "the feed no longer exists"), (404, "the server answered 404 Not Found")])
    func unread(status: Int, reason: String) async throws {
        let (condition, requests) = try await play([Server.status(403)], feeds: Server([Server.status(status)]))
        #expect(condition == .failed(Self.failure(because: reason)))
        #expect(requests == [Self.expired])
    }

    @Test("A feed whose server asked for a pause is not requested")
    func quiet() async throws {
        let busy = Server([Server.status(429, ["retry-after": "3600"])])
        for try await _ in LibraryRefresh(library, transport: busy).refresh([podcast], isAsked: true) {}
        let feeds = Server([Self.feed(Self.fresh)])
        let (condition, _) = try await play([Server.status(403)], feeds: feeds)
        #expect(condition == .failed(Self.failure(because: "its server refuses requests for now")))
        #expect(feeds.requests.isEmpty)
    }

    @Test("If the library cannot be read, the failure gives the reason")
    func noLibrary() async throws {
        let feeds = Server([Self.feed(Self.fresh)])
        let renewal = EnclosureRenewal(library, transport: feeds)
        let result = await renewal.renewal(of: 987_654, instead: Self.expired)()
        guard case .failed(let reason) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("987654"), "\(reason)")
        #expect(feeds.requests.isEmpty)
    }

    private static func failure(because reason: String) -> MediaFailure {
        MediaFailure(
            .forbidden,
            "the server answered 403 Forbidden; cannot get a new URL from the feed: " + reason)
    }
}
