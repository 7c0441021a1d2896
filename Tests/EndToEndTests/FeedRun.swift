// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// The program with an empty library, and a server for its feeds.
struct FeedRun {
    private struct Refusal: Error {
        let status: CInt
        let errors: String
    }

    let earshot: Earshot
    let server: FaultServer

    init() throws {
        earshot = try Earshot()
        server = try FaultServer()
    }

    var environment: [String: String] { ["XDG_DATA_HOME": earshot.scratch.path] }

    func start(_ arguments: [String], keepsInput: Bool = false) throws -> ProgramRun {
        try earshot.start(arguments, environment: environment, keepsInput: keepsInput)
    }

    func run(_ arguments: String...) throws -> ProgramRun.Outcome { try start(arguments).wait() }

    /// Runs a command with `--json`, requires success, and returns its lines.
    func json(_ arguments: String...) throws -> [JSONDocument] {
        let outcome = try start(arguments + ["--json"]).wait()
        guard outcome.status == 0, outcome.errors.isEmpty else {
            throw Refusal(status: outcome.status, errors: outcome.errors)
        }
        return try outcome.events()
    }

    /// The names of the kept files, without the trash and the indexes.
    var kept: [String] {
        earshot.scratch.names(in: "earshot/episodes")
            .filter { $0 != "trash" && !$0.hasSuffix(".index") && !$0.hasSuffix(".origin") }
    }
    var trash: [String] {
        earshot.scratch.names(in: "earshot/episodes/trash").filter { !$0.hasSuffix(".origin") }
    }

    /// Serves a feed at a path from now on, as a stock server does.
    func serve(_ feed: ServedFeed, at path: String = "/feed") {
        let script = feed.script
        server.handle(path) { request, _ in script.honouringConditions(request) }
    }

    /// Subscribes to a feed of demo episodes.
    /// - Parameter parts: their numbers, the newest first.
    func subscribe(to parts: [Int] = [3, 2, 1], titled title: String = "Harbour Tales") throws {
        for part in parts { server.serve("/part\(part).mp3", DemoEpisodes.episode(part)) }
        serve(ServedFeed(title, parts.map { .demo($0, on: server) }))
        let outcome = try run("subscribe", server.url("/feed"))
        guard outcome.status == 0 else { throw Refusal(status: outcome.status, errors: outcome.errors) }
    }
}

/// A feed as its host serves it.
struct ServedFeed {
    struct Item {
        var guid: String
        var title: String
        var url: String
        /// The day of January 2024.
        var day = 1
        /// The addresses of its transcripts.
        var transcripts: [String] = []
        /// Further elements of the item.
        var elements = ""

        /// Returns an episode such as "Part 3" with the audio of a demo episode.
        static func demo(_ part: Int, on server: FaultServer) -> Item {
            Item(guid: "part-\(part)", title: "Part \(part)", url: server.url("/part\(part).mp3"), day: part)
        }

        static func named(_ title: String, day: Int = 1) -> Item {
            Item(guid: "guid of \(title)", title: title, url: "https://host.example/\(day).mp3", day: day)
        }
    }

    var title: String
    var items: [Item]
    var newFeedURL: String?

    /// - Parameter items: the newest first.
    init(_ title: String, _ items: [Item]) { (self.title, self.items) = (title, items) }

    var script: FaultScript {
        FaultScript(body: document, contentType: "application/rss+xml").with { $0.etag = "\"\(hash)\"" }
    }

    /// A value that differs between documents.
    private var hash: UInt64 { document.reduce(5381) { $0 &* 33 &+ UInt64($1) } }

    private var document: [UInt8] {
        let items = items.map { item in
            """
            <item><title>\(item.title)</title><guid isPermaLink="false">\(item.guid)</guid>
            <pubDate>\(item.day < 10 ? "0" : "")\(item.day) Jan 2024 06:00:00 +0000</pubDate>
            <enclosure url="\(item.url)" type="audio/mpeg" length="1000"/>
            \(item.transcripts.map { "<podcast:transcript url=\"\($0)\" type=\"text/vtt\"/>" }.joined())
            \(item.elements)</item>

            """
        }
        let move = newFeedURL.map { "<itunes:new-feed-url>\($0)</itunes:new-feed-url>" } ?? ""
        return Array(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
            xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
            <title>\(title)</title>\(move)
            \(items.joined())</channel></rss>
            """.utf8)
    }
}
