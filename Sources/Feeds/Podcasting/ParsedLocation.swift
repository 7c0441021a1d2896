// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:location`: the subject of the show or episode, not the location where it was made.
public struct ParsedLocation: Sendable, Equatable {
    /// The name for display.
    public var name: String?
    /// A `geo:` URI (RFC 5870), as written in the feed.
    public var geo: String?
    /// An OpenStreetMap object: a letter for its type, and its number.
    public var openStreetMap: String?

    public init(name: String? = nil, geo: String? = nil, openStreetMap: String? = nil) {
        self.name = name
        self.geo = geo
        self.openStreetMap = openStreetMap
    }
}
