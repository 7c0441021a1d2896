// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Writes the document of `FeedDocument` incrementally. It keeps only the text of each episode.
public struct FeedDocumentWriter {
    private var pieces: [[UInt8]] = []
    private var episodes = JSONWriter()
    /// The target size of a piece in bytes. A single buffer would be copied whenever it outgrows its capacity.
    private static let pieceLength = 256 << 10

    public init() {
        beginPiece()
    }

    /// Writes the next episodes, in document order.
    public mutating func append(_ next: [ParsedEpisode]) {
        for episode in next {
            if episodes.bytes.count + 16_384 > Self.pieceLength { beginPiece() }
            episodes.object { FeedDocument.write(episode, to: &$0) }
        }
    }

    /// Returns the whole document in consecutive pieces, with the episodes left in `feed` at the end.
    public consuming func document(_ feed: ParsedFeed) -> [[UInt8]] {
        append(feed.episodes)
        pieces.append(episodes.bytes)
        let hasEpisodes = pieces.contains { !$0.isEmpty }
        var head = JSONWriter()
        head.object { json in
            FeedDocument.write(feed, to: &json)
            guard hasEpisodes else { return }
            json.key("episodes")
            json.array { _ in }
        }
        guard hasEpisodes else { return [head.bytes] }
        return [head.bytes.dropLast(2)] + pieces + [Array("]}".utf8)]
    }

    private mutating func beginPiece() {
        if !episodes.bytes.isEmpty { pieces.append(episodes.bytes) }
        episodes = JSONWriter(capacity: Self.pieceLength, continuesList: !pieces.isEmpty)
    }
}
