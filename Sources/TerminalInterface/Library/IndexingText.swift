// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// The progress of the search index: redrawn on a terminal, otherwise reported once.
public struct IndexingText: Sendable {
    /// Carriage return and erase to the end of the line. Source: ECMA-48 8.3.41, EL.
    private static let clear = "\r\u{1B}[K"
    private let draws: Bool
    private var isShown = false

    public init(draws: Bool) { self.draws = draws }

    public mutating func line(left: Int) -> [ReportText] {
        defer { isShown = true }
        let text = "Building the search index: \(left) \(left == 1 ? "episode" : "episodes") left"
        if draws { return [.error(Self.clear + text)] }
        return isShown ? [] : [LibraryRemark.said(text + ".")]
    }

    public mutating func finish() -> [ReportText] { isShown && draws ? [.error(Self.clear)] : [] }

    /// Returns the message of a search that could not complete the index.
    public static func incomplete(left: Int, _ error: LibraryError) -> [ReportText] {
        let episodes = left == 1 ? "1 episode" : "\(left) episodes"
        return [LibraryRemark.said("earshot: \(episodes) cannot be searched yet: \(error.reason)")]
    }
}
