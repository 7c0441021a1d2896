// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// `podcast:liveItem`: a past, current or future broadcast. It is not an episode and has no position among the
/// episodes.
public struct ParsedLiveItem: Sendable, Equatable {
    public enum Status: String, Sendable {
        case pending, live, ended
    }

    /// `podcast:contentLink`: another location to follow the broadcast.
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
