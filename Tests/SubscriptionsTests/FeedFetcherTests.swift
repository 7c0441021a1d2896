// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import HTTPTransfer
import Logging
import Media
import Subscriptions
import Testing

@Suite("FeedFetcher")
struct FeedFetcherTests {
    private func fetch(_ answers: ScriptedTransport.Answer...) async throws(MediaFailure) -> FeedFetcher.FetchedDocument
    {
        try await FeedFetcher(transport: ScriptedTransport(answers)).fetch("https://example.org/feed")
    }

    private func titles(_ finding: FeedFetcher.FetchedDocument) -> [String?]? {
        if case .feed(let feed, _) = finding { feed.episodes.map(\.title) } else { nil }
    }

    @Test("A feed is parsed in chunks of any size", arguments: [1, 100, 100_000])
    func feed(chunk: Int) async throws {
        let type = "application/rss+xml"
        let finding = try await fetch(ScriptedTransport.serve(SmallFeed.bytes, type: type, chunk: chunk))
        #expect(titles(finding) == ["Second", "Notes", "First"])
    }

    @Test(
        "A feed is recognized by its content, not by its type",
        arguments: ["text/html", "text/plain", "application/octet-stream"])
    func mistyped(type: String) async throws {
        #expect(titles(try await fetch(ScriptedTransport.serve(SmallFeed.bytes, type: type)))?.count == 3)
    }

    @Test("Audio is recognized by its type or by its bytes")
    func audio() async throws {
        let declared = FeedFetcher.FetchedDocument.audio(
            reason: "not a feed: the server sends it as audio (audio/mpeg)")
        #expect(try await fetch(ScriptedTransport.serve([1, 2, 3], type: "audio/mpeg")) == declared)
        let detected = FeedFetcher.FetchedDocument.audio(reason: "not a feed: it is audio")
        var builder = MP3Builder()
        builder.addFrames(3)
        #expect(try await fetch(ScriptedTransport.serve(builder.bytes, type: "application/octet-stream")) == detected)
        let tagged = Array("ID3".utf8) + builder.bytes
        #expect(try await fetch(ScriptedTransport.serve(tagged, type: "text/xml")) == detected)
    }

    @Test("A response that is neither a feed nor audio fails with the kind of its error")
    func failures() async {
        let page = Array("<!DOCTYPE html><html><title>Sign in</title><p>Welcome</p></html>".utf8)
        await #expect { try await fetch(ScriptedTransport.serve(page, type: "text/html")) } throws: {
            ($0 as? MediaFailure)?.kind == .badData
        }
        await #expect { try await fetch(ScriptedTransport.serve([], type: "text/xml")) } throws: {
            ($0 as? MediaFailure)?.kind == .badData
        }
        let statuses: [(Int, MediaFailure.Kind)] = [
            (404, .missing), (410, .missing), (403, .forbidden), (500, .unavailable), (429, .temporary),
        ]
        for (status, kind) in statuses {
            await #expect("\(status)") { try await fetch(ScriptedTransport.status(status)) } throws: {
                ($0 as? MediaFailure)?.kind == kind
            }
        }
        await #expect { try await fetch() } throws: { ($0 as? MediaFailure)?.kind == .unavailable }
    }

    @Test("A web page that links to its feed leads to it, once")
    func page() async throws {
        let link = "<link rel=alternate type='application/rss+xml' href=https://example.org/feed>"
        let page = Array("<!DOCTYPE html><html><title>Show</title>\(link)<p>Welcome</p></html>".utf8)
        let pages = ScriptedTransport.serve(page, type: "text/html", chunk: 10)
        let found = ScriptedTransport([pages, ScriptedTransport.serve(SmallFeed.bytes, type: "text/xml")])
        let fetcher = FeedFetcher(transport: found)
        #expect(titles(try await fetcher.fetch("https://me:pw@example.org/show"))?.count == 3)
        #expect(found.requests.map(\.url) == ["https://me:pw@example.org/show", "https://example.org/feed"])
        #expect(found.requests.last?.namedBy == "https://me:pw@example.org/show")
        #expect(found.requests.last?.addressScope == .publicOnly())
        let again = ScriptedTransport([pages, pages, pages])
        let turning = FeedFetcher(transport: again)
        await #expect { try await turning.fetch("https://example.org/show") } throws: {
            ($0 as? MediaFailure)?.kind == .badData
        }
        #expect(again.requests.count == 2)
    }

    @Test("A gzip-encoded feed, a page and a 404 work over a real connection")
    func overHTTP() async throws {
        let server = try FaultServer([
            "/feed": [.gzip(SmallFeed.bytes, contentType: "application/rss+xml")], "/page": [.webPage()],
        ])
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let transport = CurlTransport(version: "0", logger: logger)
        defer { transport.shutdown() }
        let fetcher = FeedFetcher(transport: transport)
        #expect(titles(try await fetcher.fetch(server.url("/feed")))?.count == 3)
        await #expect { try await fetcher.fetch(server.url("/page")) } throws: {
            ($0 as? MediaFailure)?.kind == .badData
        }
        await #expect { try await fetcher.fetch(server.url("/none")) } throws: {
            ($0 as? MediaFailure)?.kind == .missing
        }
    }
}
