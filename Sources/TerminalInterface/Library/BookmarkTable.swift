// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// A list of bookmarks and soundbites.
public enum BookmarkTable {
    /// - Parameter episode: the episode of the soundbites.
    public static func json(
        _ bookmarks: [Bookmark], soundbites: [Soundbite] = [], of episode: Int64? = nil
    ) -> [ReportText] {
        let values = bookmarks.map(LibraryJSON.bookmark) + soundbites.map { LibraryJSON.soundbite($0, of: episode) }
        return values.map { .output(LibraryJSON.line($0)) }
    }

    /// Returns one line for each bookmark, then one for each soundbite.
    /// - Parameter names: the names of the episodes by number; empty for the bookmarks of one episode.
    public static func plain(
        _ bookmarks: [Bookmark], soundbites: [Soundbite], names: [Int64: String], _ layout: ListLayout
    ) -> [ReportText] {
        guard !bookmarks.isEmpty || !soundbites.isEmpty else { return [.error("No bookmarks.\n")] }
        let lines = bookmarks.map { bookmark in
            let name = names[bookmark.episode].map { "  \(bookmark.episode) \(layout.text($0).text)" } ?? ""
            return line(bookmark, layout) + name
        }
        return (lines + soundbites.map { line($0, layout) }).map { .output($0 + "\n") }
    }

    static func line(_ bookmark: Bookmark, _ layout: ListLayout) -> String {
        let position = ClockText.time(bookmark.position, isEstimated: !bookmark.isExact)
        return ["\(bookmark.id)", position, layout.text(bookmark.title ?? "").text]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func line(_ soundbite: Soundbite, _ layout: ListLayout) -> String {
        let range = ClockText.time(soundbite.start) + "-" + ClockText.time(soundbite.start + soundbite.duration)
        return [soundbite.name, range, layout.text(soundbite.title ?? "").text, "(soundbite)"]
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
