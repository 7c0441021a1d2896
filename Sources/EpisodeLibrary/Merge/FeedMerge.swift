// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
import Media
import SQLDatabase

/// The merge of one document of a feed into the library: episodes are added during parsing, and stored only when the
/// document is complete. Not thread-safe.
///
/// New and changed episodes are kept in memory; large numbers go to a temporary table, which SQLite moves to disk.
public final class FeedMerge {
    /// The result of a merge.
    public struct Report: Sendable, Equatable {
        /// The new episodes in document order.
        public var new: [Int64] = []
        public var changed = 0
        public var unchanged = 0
        /// The number of known episodes that are no longer in the feed.
        public var left = 0
    }

    static let mostInMemory = 128

    let library: Library
    let podcast: Int64
    /// The content digests that the library had when the merge began.
    private let known: Set<Int64>
    /// The evidence of the document's episodes; each has its content digest.
    private var incoming: [EpisodeEvidence] = []
    private var pending: [(index: Int, content: EpisodeContent)] = []
    private var staging: StagedEpisodes?

    /// Begins a merge.
    /// - Throws: `missing` if the podcast no longer exists.
    public init(_ library: Library, podcast: Int64) throws(LibraryError) {
        self.library = library
        self.podcast = podcast
        known = try library.read { db in
            try Int64.fetchSet(
                db.cachedStatement(sql: "SELECT content_key FROM episode WHERE podcast = ?"), arguments: [podcast])
        }
    }

    /// Adds the next episodes of the document, in document order.
    public func add(_ episodes: [ParsedEpisode]) throws(LibraryError) {
        for episode in episodes {
            let digest = EpisodeContent.digest(episode)
            // The stored evidence of an unchanged episode is used later; only the GUID and the digest are needed
            // here.
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
        if staging == nil { staging = try StagedEpisodes(forLibraryAt: library.path) }
        try staging?.add(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Stores the complete document in the library, in one transaction.
    /// - Parameters:
    ///   - feed: the properties of the podcast, without episodes.
    ///   - isComplete: true if all pages of the feed were read, so that a missing episode has left the feed.
    public func commit(_ feed: ParsedFeed, isComplete: Bool = true) throws(LibraryError) -> Report {
        defer { abandon() }
        if feed.hasCutEpisode { dropLast() }
        return try library.write { [self] db in try store(feed, isComplete: isComplete, db) }
    }

    /// Stores the document. The library may run this again after an error, on another connection.
    func store(_ feed: ParsedFeed, isComplete: Bool, _ db: Database) throws -> Report {
        var transaction = try MergeTransaction(db, podcast: podcast, now: library.now().secondsSince1970)
        // Moves the array: if both held it, changing one element would copy the whole array.
        swap(&transaction.incoming, &incoming)
        defer { swap(&transaction.incoming, &incoming) }
        try transaction.match()
        try transaction.store(pending)
        let count = transaction.incoming.count
        try staging?.forEach { index, content in
            if index < count { try transaction.store([(index, content)]) }
        }
        try transaction.finish(feed, isComplete: isComplete)
        for episode in transaction.replaced { try library.startOver(episode, db) }
        return transaction.report
    }

    /// Drops the last episode: without its end it could be taken for another one, or replace good data.
    private func dropLast() {
        guard incoming.popLast() != nil, pending.last?.index == incoming.count else { return }
        pending.removeLast()
    }

    /// Discards the document; the library is unchanged.
    public func abandon() {
        incoming = []
        pending = []
        staging = nil
    }
}
