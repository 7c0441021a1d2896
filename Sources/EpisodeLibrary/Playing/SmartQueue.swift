// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// A stored rule that selects unplayed episodes. Its episodes are not stored: they follow from the library at each
/// moment, so a refresh and each played episode change them.
public struct SmartQueue: Sendable, Equatable, Identifiable {
    /// The podcasts whose episodes are selected.
    public enum Scope: Sendable, Equatable {
        case everything
        case podcast(Int64)
        /// The group with this name or path.
        case group(String)
    }

    public let id: Int64
    public let name: String
    public let scope: Scope
    public let newestFirst: Bool
    /// The greatest number of episodes.
    public let most: Int

    /// The possible values of `most`.
    public static let limits = 1...1000

    fileprivate init(row: Row) throws {
        id = try row["id"]
        name = try row["name"]
        if let podcast = try row["of_podcast"] as Int64? {
            scope = .podcast(podcast)
        } else {
            scope = (try row["of_group"] as String?).map(Scope.group) ?? .everything
        }
        newestFirst = try row["newest_first"]
        most = try row["most"]
    }
}

extension Library {
    /// Returns the smart queues by name.
    public func smartQueues() throws(LibraryError) -> [SmartQueue] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM smart_queue ORDER BY name, id").map(SmartQueue.init(row:))
        }
    }

    /// Returns the smart queue that a name means: the one with that name, in any case of its letters; if there is none,
    /// the one with the same words, as for titles.
    /// - Throws: `missing` if there is none; `ambiguous` if several have the same words.
    public func smartQueue(named name: String) throws(LibraryError) -> SmartQueue {
        let (queues, words) = try (smartQueues(), TitleFolding.words(name))
        if let queue = queues.first(where: { $0.name.lowercased() == name.lowercased() }) { return queue }
        let found = words.isEmpty ? [] : queues.filter { TitleFolding.words($0.name) == words }
        guard found.count < 2 else {
            throw LibraryError("\"\(name)\" matches several smart queues", choices: found.map(\.name))
        }
        guard let queue = found.first else { throw LibraryError(.missing, "there is no smart queue \"\(name)\"") }
        return queue
    }

    /// Creates a smart queue.
    /// - Throws: `invalid` if another one has the name, or if the name is empty; `missing` if the group has no podcast;
    ///   `ambiguous` if several groups match.
    public func createSmartQueue(
        _ name: String, _ scope: SmartQueue.Scope, newestFirst: Bool, most: Int
    ) throws(LibraryError) -> SmartQueue {
        guard !name.allSatisfy(\.isWhitespace) else { throw LibraryError(.invalid, "the name is empty") }
        guard try !smartQueues().contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw LibraryError(.invalid, "a smart queue \"\(name)\" exists already: delete it first")
        }
        var (podcast, group): (Int64?, String?) = (nil, nil)
        switch scope {
        case .everything: break
        case .podcast(let id): podcast = id
        case .group(let name): group = try self.group(named: name).name
        }
        try act(.smartQueue, name) { db in
            try db.execute(
                sql: "INSERT INTO smart_queue (name, of_podcast, of_group, newest_first, most) VALUES (?, ?, ?, ?, ?)",
                arguments: [name, podcast, group, newestFirst, most])
        }
        return try smartQueue(named: name)
    }

    /// Deletes a smart queue. Its episodes do not change.
    public func deleteSmartQueue(_ queue: SmartQueue) throws(LibraryError) {
        try act(.removeSmartQueue, queue.name) { db in
            try db.execute(sql: "DELETE FROM smart_queue WHERE id = ?", arguments: [queue.id])
        }
    }

    /// Returns the present episodes of a smart queue: unplayed episodes of subscribed podcasts that have audio.
    /// - Parameter others: episodes that do not count towards `most`, so that up to `most` other ones are returned.
    public func episodes(
        of queue: SmartQueue, notCounting others: Set<Int64> = []
    ) throws(LibraryError) -> [EpisodeSummary] {
        var filter = EpisodeFilter(states: [.unplayed], oldestFirst: !queue.newestFirst)
        filter.hasAudio = true
        switch queue.scope {
        case .everything: break
        case .podcast(let id): filter.podcasts = [id]
        case .group(let name):
            // A group may lose its last podcast. The queue is then empty: no other group replaces it.
            let group = PodcastGroup(name: name)
            filter.podcasts = Set(try podcasts().filter { group.contains($0) }.map(\.id))
        }
        var left = queue.most
        return try episodes(filter, limit: queue.most + others.count).episodes.filter { episode in
            if others.contains(episode.id) { return true }
            left -= 1
            return left >= 0
        }
    }
}
