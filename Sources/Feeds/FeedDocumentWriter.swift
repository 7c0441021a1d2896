// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes the document of `FeedDocument` while episodes come: of each only its text is kept.
public struct FeedDocumentWriter {
    private var pieces: [[UInt8]] = []
    private var episodes = JSONWriter()
    /// Pieces of one size: a single text would be copied each time it outgrows its place.
    private static let pieceLength = 256 << 10

    public init() {
        beginPiece()
    }

    public mutating func append(_ next: [ParsedEpisode]) {
        for episode in next {
            if episodes.bytes.count + 16_384 > Self.pieceLength { beginPiece() }
            episodes.element { FeedDocument.write(episode, to: &$0) }
        }
    }

    /// The whole document, with the feed's own episodes at the end, in pieces that follow each other.
    public consuming func document(_ feed: ParsedFeed) -> [[UInt8]] {
        append(feed.episodes)
        pieces.append(episodes.bytes)
        let hasEpisodes = pieces.contains { !$0.isEmpty }
        var head = JSONWriter()
        head.object { json in
            FeedDocument.write(feed, to: &json)
            if hasEpisodes { json.emptyList("episodes") }
        }
        guard hasEpisodes else { return [head.bytes] }
        return [head.bytes.dropLast(2)] + pieces + [Array("]}".utf8)]
    }

    private mutating func beginPiece() {
        if !episodes.bytes.isEmpty { pieces.append(episodes.bytes) }
        episodes = JSONWriter(capacity: Self.pieceLength, isFirst: pieces.isEmpty)
    }
}
