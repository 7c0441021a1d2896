// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// `podcast:trailer`.
public struct ParsedTrailer: Sendable, Equatable {
    public var title: String?
    public var enclosure: ParsedEnclosure
    public var published: UTCTime?
    /// The season that the trailer announces, or `nil` for the whole show.
    public var season: Int?

    public init(enclosure: ParsedEnclosure, title: String? = nil) {
        self.enclosure = enclosure
        self.title = title
    }
}
