// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Podcasts

/// Bookmarks as a list.
public enum BookmarkTable {
    public static func json(_ bookmarks: [Bookmark]) -> [ReportText] {
        bookmarks.map { .output(LibraryJSON.line(LibraryJSON.bookmark($0))) }
    }

    /// - Parameter names: of the episodes, by number; empty where they are all of one.
    public static func plain(
        _ bookmarks: [Bookmark], names: [Int64: String], _ layout: ListLayout
    ) -> [ReportText] {
        guard !bookmarks.isEmpty else { return [.error("There are no bookmarks.\n")] }
        return bookmarks.map { bookmark in
            let name = names[bookmark.episode].map { "  \(bookmark.episode) \(layout.text($0).text)" } ?? ""
            return .output(line(bookmark, layout) + name + "\n")
        }
    }

    static func line(_ bookmark: Bookmark, _ layout: ListLayout) -> String {
        ["\(bookmark.id)", ClockText.time(bookmark.position), layout.text(bookmark.title ?? "").text]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
