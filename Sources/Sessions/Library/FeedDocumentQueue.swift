// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Feeds
import Synchronization

/// Writes the JSON document of a feed on a thread of its own, while the next part of the feed is parsed.
final class FeedDocumentQueue: Sendable {
    private let writer = Mutex(FeedDocumentWriter())
    private let queue = DispatchQueue(label: "earshot.feed.document")
    /// Limits the waiting parts, and with them the memory, if the parser is faster.
    private let room = DispatchSemaphore(value: 4)

    /// Writes the next episodes, in document order.
    func append(_ next: [ParsedEpisode]) {
        guard !next.isEmpty else { return }
        room.wait()
        queue.async {
            self.writer.withLock { $0.append(next) }
            self.room.signal()
        }
    }

    /// Returns the whole document in consecutive pieces, with the episodes left in `feed` at the end.
    func document(_ feed: ParsedFeed) -> [[UInt8]] {
        queue.sync {
            writer.withLock { writer in
                let written = writer
                writer = FeedDocumentWriter()
                return written.document(feed)
            }
        }
    }
}
