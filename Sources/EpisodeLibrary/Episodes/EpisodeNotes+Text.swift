// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

extension EpisodeNotes {
    /// Summary and notes on one line, without markup: what a search looks through.
    public var words: String { Self.words(html: html, summary: summary) }

    static func words(html: String?, summary: String?) -> String {
        let notes = html.map(ShowNotesText.words) ?? ""
        // The summary is mostly the beginning of the notes.
        guard let summary, !notes.hasPrefix(summary.prefix(80)) else { return notes }
        return notes.isEmpty ? summary : notes + " " + summary
    }
}
