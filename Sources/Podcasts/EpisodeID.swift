// SPDX-License-Identifier: GPL-3.0-or-later

/// What makes an episode the same one at the next refresh: its GUID, else the URL of its enclosure, else its link,
/// else its title and date. Opaque: compared byte by byte, never resolved as a URL, so that it outlives a feed's move.
///
/// Source: RSS 2.0, `<guid>` sub-element of `<item>`.
public struct EpisodeID: Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The candidates for an identity, best first; empty ones are left out.
    public static func candidates(
        guid: String?, enclosureURL: String?, link: String?, title: String?, published: UTCTime?
    ) -> [EpisodeID] {
        let titleAndDate = [title, published?.description].compactMap { $0 }.joined(separator: " ")
        return [guid, enclosureURL, link, titleAndDate].compactMap { $0 }.filter { !$0.isEmpty }
            .map(EpisodeID.init(rawValue:))
    }

    public var description: String { rawValue }
}
