// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:socialInteract`: a location of the discussion about the episode.
public struct ParsedSocialInteraction: Sendable, Equatable {
    /// `activitypub`, `twitter`, `lightning`, or `disabled` if the episode has no discussion.
    public var platform: String
    /// The root post.
    public var uri: String?
    public var accountID: String?
    public var accountURL: String?
    /// The order of display; the lowest value comes first.
    public var priority: Int?

    public init(platform: String, uri: String? = nil) {
        self.platform = platform
        self.uri = uri
    }
}
