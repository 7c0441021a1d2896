// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// A list of bookmarks.
public enum BookmarkTable {
    public static func json(_ bookmarks: [Bookmark]) -> [ReportText] {
        bookmarks.map { .output(LibraryJSON.line(LibraryJSON.bookmark($0))) }
    }

    /// Returns one line for each bookmark.
    /// - Parameter names: the names of the episodes by number; empty for the bookmarks of one episode.
    public static func plain(
        _ bookmarks: [Bookmark], names: [Int64: String], _ layout: ListLayout
    ) -> [ReportText] {
        guard !bookmarks.isEmpty else { return [.error("No bookmarks.\n")] }
        return bookmarks.map { bookmark in
            let name = names[bookmark.episode].map { "  \(bookmark.episode) \(layout.text($0).text)" } ?? ""
            return .output(line(bookmark, layout) + name + "\n")
        }
    }

    static func line(_ bookmark: Bookmark, _ layout: ListLayout) -> String {
        let position = ClockText.time(bookmark.position, isEstimated: !bookmark.isExact)
        return ["\(bookmark.id)", position, layout.text(bookmark.title ?? "").text]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
