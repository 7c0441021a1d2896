// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:socialInteract`: where the episode is talked about.
public struct ParsedSocialInteraction: Sendable, Equatable {
    /// `activitypub`, `twitter`, `lightning`, or `disabled`: then there is nothing to show.
    public var platform: String
    /// The root post.
    public var uri: String?
    public var accountID: String?
    public var accountURL: String?
    /// The lowest is the one to show first.
    public var priority: Int?

    public init(platform: String, uri: String? = nil) {
        self.platform = platform
        self.uri = uri
    }
}
