// SPDX-License-Identifier: GPL-3.0-or-later
public import Podcasts

/// `podcast:liveItem`: a broadcast that is, was or will be. No episode: it has no place in the order of those.
public struct ParsedLiveItem: Sendable, Equatable {
    public enum Status: String, Sendable {
        case pending, live, ended
    }

    /// `podcast:contentLink`: where else it can be followed.
    public struct ContentLink: Sendable, Equatable {
        public var url: String
        public var title: String?

        public init(url: String, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    public var title: String?
    public var guid: String?
    public var link: String?
    public var image: String?
    public var status: Status?
    public var start: UTCTime?
    public var end: UTCTime?
    public var enclosures: [ParsedEnclosure] = []
    public var contentLinks: [ContentLink] = []

    public init() {}
}
