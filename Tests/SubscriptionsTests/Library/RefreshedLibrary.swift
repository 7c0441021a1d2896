// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import HTTPTransfer
import Logging
import Subscriptions

/// A library, and a server for its feeds.
struct RefreshedLibrary {
    let stage: LibraryStage
    let server: FaultServer
    let transport: SecuredTransport
    var library: Library { stage.library }

    init() throws {
        stage = try LibraryStage()
        server = try FaultServer()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        transport = SecuredTransport(CurlTransport(version: "0", logger: logger))
    }

    /// Returns an https address for a path of the server.
    func secureURL(_ path: String) -> String { server.url(path).replacing("http:", with: "https:") }

    func subscribe(_ path: String, _ script: FaultScript) throws -> Int64 {
        serve(script, at: path)
        return try stage.subscribe(server.url(path))
    }

    /// Subscribes to an https address.
    func subscribeSecurely(_ path: String, _ script: FaultScript) throws -> Int64 {
        serve(script, at: path)
        return try stage.subscribe(secureURL(path))
    }

    func serve(_ script: FaultScript, at path: String) {
        server.handle(path) { request, _ in script.honouringConditions(request) }
    }

    /// Refreshes podcasts and returns the result of each.
    @discardableResult
    func refresh(_ podcasts: [Int64]? = nil, isAsked: Bool = true) async throws -> [Int64: LibraryRefresh.FeedResult] {
        var all: [Int64: LibraryRefresh.FeedResult] = [:]
        let refresh = LibraryRefresh(library, transport: transport, within: TimeLimit.event)
        for try await news in refresh.refresh(podcasts, isAsked: isAsked) { all[news.podcast] = news }
        return all
    }

    func url(of podcast: Int64) throws -> String { try library.podcast(podcast).feedURL }
}

extension NewsFeed {
    /// Returns a feed that announces another address.
    static func announcing(_ url: String, title: String = "News") -> FaultScript {
        let text = String(decoding: bytes(title), as: UTF8.self)
        let link = "<title>\(title)</title><itunes:new-feed-url>\(url)</itunes:new-feed-url>"
        let space = "<rss xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" "
        return script(Array(text.replacing("<rss ", with: space).replacing("<title>\(title)</title>", with: link).utf8))
    }
}
