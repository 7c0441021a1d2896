// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:location`: what the show or the episode is about, not where it was made.
public struct ParsedLocation: Sendable, Equatable {
    /// For reading.
    public var name: String?
    /// A `geo:` URI (RFC 5870), as it stands.
    public var geo: String?
    /// An OpenStreetMap object: a letter for its kind, and its number.
    public var openStreetMap: String?

    public init(name: String? = nil, geo: String? = nil, openStreetMap: String? = nil) {
        self.name = name
        self.geo = geo
        self.openStreetMap = openStreetMap
    }
}
