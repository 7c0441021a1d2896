// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

@Suite("Feeds that arrive in pieces")
struct ByteCutTests {
    @Test(
        "The result does not depend on the lengths of the pieces", arguments: Fixture.all, [1, 2, 3, 5, 7, 16, 61, 257])
    func isIndependentOfPieceLength(_ fixture: Fixture, _ length: Int) throws {
        let bytes = try fixture.bytes()
        #expect(outcome(of: bytes, pieces: [length]) == outcome(of: bytes))
    }

    @Test("A single cut at any offset does not change the result", arguments: Fixture.all)
    func isIndependentOfOneCut(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        let whole = outcome(of: bytes)
        for cut in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 60)) {
            #expect(outcome(of: bytes, pieces: [cut, .max]) == whole, "split at \(cut)")
        }
    }

    @Test("A truncated document produces its first episodes or an error", arguments: Fixture.all)
    func survivesTruncation(_ fixture: Fixture) throws {
        let bytes = try fixture.bytes()
        let whole = outcome(of: bytes)
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            guard case .feed(let feed) = outcome(of: Array(bytes.prefix(length))), let whole = whole.feed else {
                continue
            }
            let complete = feed.episodes.dropLast()
            #expect(complete.elementsEqual(whole.episodes.prefix(complete.count)), "truncated at \(length)")
            #expect(feed.isTruncated || feed == whole, "truncated at \(length)")
        }
    }

    @Test(
        "Episodes can be taken while the document arrives, each once",
        arguments: [
            "plain", "itunes", "atom-full", "atom-0.3", "rdf-full", "media-rss", "podcasting-2.0", "json-feed-full",
        ])
    func handsEpisodesOn(_ name: String) throws {
        // given
        let bytes = try Fixture(name: name).bytes()
        let parser = FeedParser(baseURL: feedURL)
        // when
        var taken: [ParsedEpisode] = []
        for byte in bytes {
            try withUnsafeBytes(of: byte) { try parser.consume($0) }
            taken += parser.removeEpisodes()
        }
        let feed = try parser.finish()
        // then
        var whole = try #require(outcome(of: bytes).feed)
        #expect(taken == whole.episodes)
        whole.episodes = []
        #expect(feed == whole)
    }
}
