// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
public import Media

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
    /// Returns the soundbites of an episode by position.
    public func soundbites(of episode: Int64) throws(LibraryError) -> [Soundbite] {
        guard let details = try notes(of: episode).details else { return [] }
        do throws(JSONError) {
            var distinct: [ParsedSoundbite] = []
            for one in try DetailDocument.soundbites(in: details) where !distinct.contains(one) { distinct.append(one) }
            return distinct.sorted { $0.start < $1.start }.enumerated().map { index, one in
                Soundbite(id: index + 1, start: one.start, duration: one.duration, title: one.title)
            }
        } catch {
            throw LibraryError(.damaged, "the details of episode \(episode) are not JSON")
        }
    }

    /// Returns the bookmark or soundbite of an episode with a number, a title, or words of a title. Of several with an
    /// equally good title, the bookmarks count.
    /// - Parameter name: the number of a bookmark, that of a soundbite such as `s1`, or a title.
    /// - Throws: `missing` if there is none, `ambiguous` if there are several.
    public func place(named name: String, in episode: Int64) throws(LibraryError) -> NamedPlace {
        let places = try bookmarks(of: episode).map(NamedPlace.init)
            + soundbites(of: episode).map { NamedPlace($0, in: episode) }
        if let numbered = places.first(where: { $0.name == name.lowercased() }) { return numbered }
        let found = TitleFolding.matches(name, in: places.map { $0.title ?? "" }).map { places[$0] }
        let own = found.filter { $0.length == nil }
        let chosen = own.isEmpty ? found : own
        guard let first = chosen.first else {
            throw LibraryError(.missing, "there is no bookmark or soundbite \"\(name)\"")
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
