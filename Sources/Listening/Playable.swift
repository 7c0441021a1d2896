// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

/// Something a listener's words led to: what it is called and where its bytes are.
public struct Playable: Sendable, Equatable {
    public enum Origin: Sendable, Equatable {
        /// A file that is whole, at this path.
        case file(path: String)
        case remote(RemoteEnclosure)

        /// What the listener has named.
        public static func remote(url: String) -> Origin { .remote(RemoteEnclosure(url: url)) }
    }

    public let title: String
    /// The podcast's title; `nil` for a file or URL named by itself.
    public let podcast: String?
    /// Fit to be shown: without credentials and query.
    public let location: String
    /// What the feed says it lasts.
    public let claimedDuration: Duration?
    public let origin: Origin
    /// Which episode of the library it is; `nil` where it is none.
    public let place: Place?

    public struct Place: Sendable, Equatable {
        public let episode: Int64
        /// Where the listener was; `nil` is the beginning.
        public let position: Duration?

        public init(episode: Int64, position: Duration?) {
            self.episode = episode
            self.position = position
        }
    }

    public init(
        title: String, podcast: String? = nil, location: String, claimedDuration: Duration? = nil, origin: Origin,
        place: Place? = nil
    ) {
        self.title = title
        self.podcast = podcast
        self.location = location
        self.claimedDuration = claimedDuration
        self.origin = origin
        self.place = place
    }

    /// With its place in the library, and the file that the library has of it.
    func known(as other: Playable?) -> Playable {
        guard let other else { return self }
        var origin = origin
        if case .remote(let enclosure) = origin, case .remote(let kept) = other.origin {
            origin = .remote(enclosure.kept(as: kept))
        }
        return Playable(
            title: title, podcast: podcast, location: location, claimedDuration: claimedDuration, origin: origin,
            place: other.place)
    }

    /// The item of a playlist it becomes.
    /// - Parameter start: `nil` is where the listener was.
    public func item(
        _ id: PlaybackItem.ID, from start: TimeTarget? = nil, until end: TimeTarget? = nil
    ) -> PlaybackItem {
        PlaybackItem(
            id: id, title: title, podcast: podcast, location: location, claimedDuration: claimedDuration,
            start: start ?? place?.position.map { .time($0) }, end: end, isResumed: start == nil)
    }
}
