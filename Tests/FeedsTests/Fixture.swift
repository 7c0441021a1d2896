// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Glibc
import Testing

/// A feed document in the Fixtures folder, identified by its file name.
struct Fixture: CustomTestStringConvertible {
    let name: String

    var testDescription: String { name }

    static let all = [
        "atom", "atom-0.3", "atom-full", "bare-ampersand", "billion-laughs", "broken-tags", "cdata", "deep-nesting",
        "doctype", "empty", "external-entity", "html-page", "itunes", "json-feed", "json-feed-cut", "json-feed-full",
        "latin-1", "many-attributes", "media-rss", "no-enclosure", "opml", "plain", "podcasting-2.0", "rdf-full",
        "rss-1.0", "text", "truncated", "utf-16", "wrong-bytes",
    ].map(Fixture.init)

    func bytes() throws -> [UInt8] {
        try #require(TestFile.read("Fixtures/\(name).xml"))
    }
}

/// Files in the folder of these tests.
enum TestFile {
    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(folder + path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(folder + path, "wb"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/"
}

/// The result of parsing: a feed or an error.
enum Outcome: Equatable {
    case feed(ParsedFeed)
    case error(FeedError)

    var feed: ParsedFeed? { if case .feed(let feed) = self { feed } else { nil } }
}

/// Parses `bytes` in pieces of these lengths; the last length repeats to the end.
func outcome(of bytes: [UInt8], pieces: [Int] = [.max], base: String? = "https://feed.example/show/feed.xml") -> Outcome
{
    outcome(of: bytes, pieces: pieces, parser: FeedParser(baseURL: base, contentType: nil))
}

func outcome(of bytes: [UInt8], pieces: [Int], parser: FeedParser) -> Outcome {
    var rest = bytes[...]
    var lengths = pieces[...]
    do throws(FeedError) {
        while !rest.isEmpty {
            let piece = Array(rest.prefix(lengths.first ?? 1))
            if lengths.count > 1 { lengths.removeFirst() }
            rest = rest.dropFirst(piece.count)
            try consume(piece, parser)
        }
        return .feed(try parser.finish())
    } catch {
        return .error(error)
    }
}

private func consume(_ piece: [UInt8], _ parser: FeedParser) throws(FeedError) {
    var failure: FeedError?
    piece.withUnsafeBytes { bytes in
        do throws(FeedError) { try parser.consume(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
}
