// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The identity of an episode across refreshes: its GUID, else the URL of its enclosure, else its link, else its
/// title and date. The value is opaque: it is compared byte by byte and never resolved as a URL, so it stays valid
/// when a feed moves.
///
/// Source: RSS 2.0, `<guid>` sub-element of `<item>`.
public struct EpisodeID: Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Returns the candidates for an identity, best first, without empty ones.
    public static func candidates(
        guid: String?, enclosureURL: String?, link: String?, title: String?, published: UTCTime?
    ) -> [EpisodeID] {
        let titleAndDate = [title, published?.description].compactMap { $0 }.joined(separator: " ")
        return [guid, enclosureURL, link, titleAndDate].compactMap { $0 }.filter { !$0.isEmpty }
            .map(EpisodeID.init(rawValue:))
    }

    public var description: String { rawValue }
}
