// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

extension EpisodeNotes {
    /// The summary and notes as one line without markup, for the search index.
    public var words: String { Self.words(html: html, summary: summary) }

    /// Returns the notes as lines of text, or the summary if the episode has no notes.
    /// - Parameter width: the number of columns of a line; `nil` does not wrap lines.
    public func lines(width: Int?) -> [String] {
        guard let text = html ?? summary else { return [] }
        return ShowNotesText.lines(text, width: width ?? Self.unbroken)
    }

    /// A width that no paragraph reaches.
    private static let unbroken = 1_000_000

    static func words(html: String?, summary: String?) -> String {
        let notes = html.map(ShowNotesText.words) ?? ""
        // The summary is usually the beginning of the notes.
        guard let summary, !notes.hasPrefix(summary.prefix(80)) else { return notes }
        return notes.isEmpty ? summary : notes + " " + summary
    }
}
