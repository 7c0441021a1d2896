// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import GRDB
import Podcasts

/// One document of a feed on its way into the library: episodes come as they are parsed, and count only once the
/// document was good to its end. Not thread-safe.
///
/// What is new or changed waits in memory, a lot of it in a temporary table, which SQLite moves to disk.
public final class FeedMerge {
    /// What became of it.
    public struct Report: Sendable, Equatable {
        /// In document order.
        public var new: [Int64] = []
        public var changed = 0
        public var unchanged = 0
        /// Of those that were there before, how many are in the feed no more.
        public var left = 0
    }

    static let mostInMemory = 128

    let library: Library
    let podcast: Int64
    /// Digests of content as it was when the document began to arrive.
    private let known: Set<Int64>
    /// Of each, the digest of its content is there.
    private var incoming: [EpisodeEvidence] = []
    private var pending: [(index: Int, content: EpisodeContent)] = []
    private var staging: StagedEpisodes?

    /// - Throws: `missing`, where there is no such podcast any more.
    public init(_ library: Library, podcast: Int64) throws(LibraryError) {
        self.library = library
        self.podcast = podcast
        known = try library.read { db in
            try Int64.fetchSet(
                db.cachedStatement(sql: "SELECT content_key FROM episode WHERE podcast = ?"), arguments: [podcast])
        }
    }

    /// The next episodes of the document, in its order.
    public func take(_ episodes: [ParsedEpisode]) throws(LibraryError) {
        for episode in episodes {
            let digest = EpisodeContent.digest(episode)
            // What has not changed is told by the same evidence as before.
            guard known.contains(digest) else {
                pending.append((incoming.count, EpisodeContent(episode)))
                var evidence = EpisodeEvidence(episode)
                evidence.content = digest
                incoming.append(evidence)
                if pending.count >= Self.mostInMemory { try spill() }
                continue
            }
            incoming.append(EpisodeEvidence(guid: ContentDigest.of(episode.id.rawValue), content: digest))
        }
    }

    private func spill() throws(LibraryError) {
        if staging == nil { staging = try StagedEpisodes(library) }
        try staging?.add(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// The document was good to its end: everything of it becomes part of the library, in one transaction.
    /// - Parameters:
    ///   - feed: what it says of the show, without episodes.
    ///   - isComplete: whether these were all pages of the feed: what is not there has left it.
    public func commit(_ feed: ParsedFeed, isComplete: Bool = true) throws(LibraryError) -> Report {
        defer { abandon() }
        return try library.write { [self] db in
            var transaction = try MergeTransaction(db, podcast: podcast, now: library.now().secondsSince1970)
            // Handed over: if both held it, a change of one episode would copy all.
            swap(&transaction.incoming, &incoming)
            try transaction.match()
            try transaction.store(pending)
            try staging?.forEach(db) { index, content in try transaction.store([(index, content)]) }
            try transaction.finish(feed, isComplete: isComplete)
            return transaction.report
        }
    }

    /// Gives up what has come; the library is as it was.
    public func abandon() {
        pending = []
        staging?.drop()
        staging = nil
    }
}
