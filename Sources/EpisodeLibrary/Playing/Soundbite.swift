// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
public import Media

/// A part of an episode that its publisher recommends (podcast:soundbite).
public struct Soundbite: Sendable, Equatable {
    public let start: Duration
    public let duration: Duration
    public let title: String?

    public init(start: Duration, duration: Duration, title: String? = nil) {
        (self.start, self.duration, self.title) = (start, duration, title)
    }
}

/// A place in an episode that has a name.
public struct NamedPlace: Sendable, Equatable {
    public let episode: Int64
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
            let parsed = try DetailDocument.soundbites(in: details).sorted { $0.start < $1.start }
            return parsed.map { Soundbite(start: $0.start, duration: $0.duration, title: $0.title) }
        } catch {
            throw LibraryError(.damaged, "the details of episode \(episode) are not JSON")
        }
    }

    /// Returns the place of the bookmark of an episode with a number, a title, or words of a title, or else of its
    /// soundbite with that title.
    /// - Throws: `missing` if there is none, `ambiguous` if there are several.
    public func place(named name: String, in episode: Int64) throws(LibraryError) -> NamedPlace {
        do throws(LibraryError) {
            return NamedPlace(try bookmark(named: name, of: episode))
        } catch {
            guard error.kind == .missing, let bite = try soundbite(named: name, of: episode) else { throw error }
            return NamedPlace(episode: episode, position: bite.start, anchor: nil, length: bite.duration)
        }
    }

    private func soundbite(named name: String, of episode: Int64) throws(LibraryError) -> Soundbite? {
        let all = try soundbites(of: episode)
        let found = TitleFolding.matches(name, in: all.map { $0.title ?? "" }).map { all[$0] }
        guard found.count > 1 else { return found.first }
        let times = found.map { "\($0.start.components.seconds)" }.joined(separator: ", ")
        throw LibraryError(.ambiguous, "several soundbites match \"\(name)\"; they begin at second \(times)")
    }
}

extension NamedPlace {
    public init(_ bookmark: Bookmark) {
        self.init(episode: bookmark.episode, position: bookmark.position, anchor: bookmark.anchor, length: nil)
    }
}
