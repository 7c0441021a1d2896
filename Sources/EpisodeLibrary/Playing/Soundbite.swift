// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// A part of an episode that its publisher recommends (podcast:soundbite).
public struct Soundbite: Sendable, Equatable, Identifiable {
    /// The number among the soundbites of the episode, from 1, by position.
    public let id: Int
    public let start: Duration
    public let duration: Duration
    public let title: String?

    public init(id: Int, start: Duration, duration: Duration, title: String? = nil) {
        (self.id, self.start, self.duration, self.title) = (id, start, duration, title)
    }

    /// The name that no other soundbite and no bookmark of the episode has, such as `s1`.
    public var name: String { "s\(id)" }
}

/// A place in an episode that has a name: a bookmark or a soundbite.
public struct NamedPlace: Sendable, Equatable {
    public let episode: Int64
    /// The number of a bookmark, or that of a soundbite such as `s1`.
    public let name: String
    public let title: String?
    public let position: Duration
    /// The packet from which an estimated position counts; `nil` for an exact position.
    public let anchor: TimeAnchor?
    /// The length of the part that begins there; `nil` if it has no end.
    public let length: Duration?
}

extension Library {
    /// Returns the soundbites in the details of an episode by position; equal ones once.
    static func soundbites(in details: String?, _ db: Database) throws -> [Soundbite] {
        guard let details else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT value ->> 'start' AS start, value ->> 'duration' AS duration, value ->> 'title' AS title
                FROM json_each(?, '$.soundbites') WHERE start IS NOT NULL AND duration IS NOT NULL
                GROUP BY 1, 2, 3 ORDER BY 1, min(key)
                """, arguments: [details]
        ).enumerated().map { index, row in
            Soundbite(
                id: index + 1, start: time(try row["start"] ?? 0), duration: time(try row["duration"] ?? 0),
                title: try row["title"])
        }
    }

    /// Details have times in seconds with at most three decimals.
    private static func time(_ seconds: Double) -> Duration {
        .milliseconds(Int64((min(max(0, seconds), 1e9) * 1000).rounded()))
    }

    /// Returns the bookmark or soundbite with a number, a title, or words of a title. Of several with an equally good
    /// title, the bookmarks count.
    /// - Parameters:
    ///   - name: the number of a bookmark, that of a soundbite such as `s1`, or a title.
    ///   - episode: the episode whose places are searched; `nil` searches the bookmarks of all.
    /// - Throws: `missing` if there is none, `ambiguous` if there are several.
    public func place(named name: String, in episode: Int64? = nil) throws(LibraryError) -> NamedPlace {
        let soundbites = try episode.map { one throws(LibraryError) in
            try notes(of: one).soundbites.map { NamedPlace($0, in: one) }
        }
        let places = try bookmarks(of: episode).map(NamedPlace.init) + (soundbites ?? [])
        if let numbered = places.first(where: { $0.name == name.lowercased() }) { return numbered }
        let found = TitleFolding.matches(name, in: places.map { $0.title ?? "" }).map { places[$0] }
        let own = found.filter { $0.length == nil }
        let chosen = own.isEmpty ? found : own
        guard let first = chosen.first else {
            let kind = episode == nil ? "bookmark" : "bookmark or soundbite"
            throw LibraryError(.missing, "there is no \(kind) \"\(name)\"")
        }
        guard chosen.count == 1 else {
            let kind = own.isEmpty ? "soundbites" : "bookmarks"
            let names = chosen.prefix(Self.mostNames).map(\.name) + (chosen.count > Self.mostNames ? ["…"] : [])
            throw LibraryError(.ambiguous, "several \(kind) match \"\(name)\": \(names.joined(separator: ", "))")
        }
        return first
    }

    /// The most names in a message.
    private static let mostNames = 10
}

extension NamedPlace {
    public init(_ bookmark: Bookmark) {
        self.init(
            episode: bookmark.episode, name: "\(bookmark.id)", title: bookmark.title, position: bookmark.position,
            anchor: bookmark.anchor, length: nil)
    }

    init(_ soundbite: Soundbite, in episode: Int64) {
        self.init(
            episode: episode, name: soundbite.name, title: soundbite.title, position: soundbite.start, anchor: nil,
            length: soundbite.duration)
    }
}
