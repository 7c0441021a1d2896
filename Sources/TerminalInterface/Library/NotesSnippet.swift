// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary

/// The part of an episode's notes around the words of a search.
enum NotesSnippet {
    /// Returns the snippet.
    /// - Parameters:
    ///   - query: the text of the search; its last word may be incomplete.
    ///   - columns: the maximum length in characters.
    /// - Returns: `nil` if none of the words is in the text, because then the title has them all.
    static func text(of notes: String, around query: String, columns: Int, ellipsis: String = "…") -> String? {
        SearchQuery(query)?.firstHit(in: notes).map { window(notes, around: $0, columns, ellipsis) }
    }

    private static func window(
        _ notes: String, around hit: Range<String.Index>, _ columns: Int, _ ellipsis: String
    ) -> String {
        let room = max(0, columns - 2 * ellipsis.count)
        var start = notes.index(hit.lowerBound, offsetBy: -room / 3, limitedBy: notes.startIndex) ?? notes.startIndex
        if start > notes.startIndex {
            start = notes[start..<hit.lowerBound].firstIndex(of: " ").map(notes.index(after:)) ?? hit.lowerBound
        }
        var end = notes.index(start, offsetBy: room, limitedBy: notes.endIndex) ?? notes.endIndex
        if end < notes.endIndex, hit.upperBound <= end {
            end = notes[hit.upperBound..<end].lastIndex(of: " ") ?? end
        }
        let text = PrintableText(notes[start..<end]).text
        return (start > notes.startIndex ? ellipsis : "") + text + (end < notes.endIndex ? ellipsis : "")
    }
}
