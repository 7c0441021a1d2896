// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:remoteItem`: another feed, or an item of one.
public struct ParsedRemoteItem: Sendable, Equatable {
    /// The other feed's `podcast:guid`.
    public var feedGUID: String?
    public var feedURL: String?
    public var itemGUID: String?
    public var medium: String?
    public var title: String?

    public init(feedGUID: String? = nil, feedURL: String? = nil) {
        self.feedGUID = feedGUID
        self.feedURL = feedURL
    }
}
