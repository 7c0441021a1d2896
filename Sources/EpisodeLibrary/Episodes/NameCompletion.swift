// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// Names of the library that begin with typed text, for the completion of a shell.
public struct NameCompletion: Sendable {
    /// The kind of name.
    public enum Kind: String, Sendable, CaseIterable {
        /// Podcasts and episodes.
        case names
        case podcasts, episodes, groups, smart, bookmarks
    }

    /// A name, and a description that a shell may show beside it.
    public struct Candidate: Sendable, Equatable {
        public let name: String
        public let description: String

        public init(_ name: String, _ description: String) { (self.name, self.description) = (name, description) }
    }

    /// The number of episodes in an answer; more than a screen shows.
    static let limit = 100
    /// The number of seconds for which a completion waits for a process that writes.
    private static let patience = 0.005

    private let database: DatabaseQueue

    /// Opens a library without changing it. A library whose tables are of another version has no names.
    /// - Throws: the errors of `Library`.
    public init(path: String) throws(LibraryError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyTimeout = Self.patience
        do { database = try DatabaseQueue(path: path, configuration: configuration) } catch {
            throw LibraryError(error, at: path)
        }
    }

    /// Returns the names that begin with the text, in any case of ASCII letters. Names with control characters, which
    /// nobody can type, are left out.
    public func candidates(_ kind: Kind, beginningWith text: String) throws(LibraryError) -> [Candidate] {
        do {
            let found = try database.read { db in try Self.statements(for: kind).flatMap { try $0.run(db, text) } }
            return found.filter { candidate in !candidate.name.unicodeScalars.contains { $0.value < 32 } }
        } catch {
            throw LibraryError(error, at: database.path)
        }
    }

    /// A statement that selects names and descriptions. Its parameters are the pattern and the limit.
    struct Statement {
        let sql: String

        fileprivate func run(_ db: Database, _ text: String) throws -> [Candidate] {
            try Row.fetchAll(db, sql: sql, arguments: ["pattern": pattern(text), "limit": NameCompletion.limit]).map {
                Candidate(try $0[0], try $0[1])
            }
        }

        private func pattern(_ text: String) -> String {
            text.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : String($1) } + "%"
        }
    }

    static func statements(for kind: Kind) -> [Statement] {
        switch kind {
        case .names: [podcasts, episodes]
        case .podcasts: [podcasts]
        case .episodes: [episodes]
        case .groups: [groups]
        case .smart: [smart]
        case .bookmarks: [bookmarks]
        }
    }

    private static let podcasts = Statement(
        sql: """
            SELECT coalesce(own_title, title, feed_url) AS name, 'podcast' FROM podcast
            WHERE unsubscribed_at IS NULL AND name LIKE :pattern ESCAPE '\\' ORDER BY lower(name) LIMIT :limit
            """)
    /// Without an index: the index of dates would make a search for a rare title seven times as long.
    private static let episodes = Statement(
        sql: """
            SELECT episode.title, coalesce(podcast.own_title, podcast.title, podcast.feed_url)
            FROM episode NOT INDEXED JOIN podcast ON podcast.id = episode.podcast
            WHERE episode.title LIKE :pattern ESCAPE '\\' AND \(EpisodeSummary.isShown)
            ORDER BY episode.sorted_at DESC, episode.id DESC LIMIT :limit
            """)
    private static let groups = Statement(
        sql: """
            SELECT DISTINCT part.value AS name, 'group' FROM podcast, json_each(podcast.folder) AS part
            WHERE unsubscribed_at IS NULL AND name LIKE :pattern ESCAPE '\\' ORDER BY lower(name) LIMIT :limit
            """)
    private static let smart = Statement(
        sql:
            """
            SELECT name, 'smart queue' FROM smart_queue
            WHERE name LIKE :pattern ESCAPE '\\' ORDER BY name LIMIT :limit
            """
    )
    private static let bookmarks = Statement(
        sql: """
            SELECT coalesce(bookmark.title, bookmark.id) AS name, coalesce(episode.title, '') FROM bookmark
            JOIN episode ON episode.id = bookmark.episode
            WHERE name LIKE :pattern ESCAPE '\\' ORDER BY bookmark.id DESC LIMIT :limit
            """)
}
