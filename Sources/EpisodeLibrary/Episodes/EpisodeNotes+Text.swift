// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

extension EpisodeNotes {
    /// Summary and notes on one line, without markup: what a search looks through.
    public var words: String { Self.words(html: html, summary: summary) }

    /// The notes for reading, or the summary where there are none.
    /// - Parameter width: columns of a line; `nil` breaks none.
    public func lines(width: Int?) -> [String] {
        guard let text = html ?? summary else { return [] }
        return ShowNotesText.lines(text, width: width ?? Self.unbroken)
    }

    /// Wider than any paragraph.
    private static let unbroken = 1_000_000

    static func words(html: String?, summary: String?) -> String {
        let notes = html.map(ShowNotesText.words) ?? ""
        // The summary is mostly the beginning of the notes.
        guard let summary, !notes.hasPrefix(summary.prefix(80)) else { return notes }
        return notes.isEmpty ? summary : notes + " " + summary
    }
}
