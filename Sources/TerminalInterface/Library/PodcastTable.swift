// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The output of `earshot podcasts`.
public enum PodcastTable {
    public static func json(_ podcasts: [PodcastSummary]) -> [ReportText] {
        podcasts.map { .output(LibraryJSON.line(LibraryJSON.podcast($0))) }
    }

    public static func plain(_ podcasts: [PodcastSummary]) -> [ReportText] {
        guard !podcasts.isEmpty else {
            return [.error("No podcasts yet. Subscribe first: earshot subscribe URL\n")]
        }
        return lines(podcasts) { $0.folder.isEmpty ? "" : "  [\(PrintableText(groups($0)).text)]" }
    }

    /// Returns the podcasts of each group below its name; podcasts without a group come last.
    public static func plainByGroup(_ podcasts: [PodcastSummary]) -> [ReportText] {
        guard !podcasts.isEmpty else { return plain(podcasts) }
        return GroupHeading.sections(podcasts, groupedBy: groups, lines: { lines($0) { _ in "" } })
    }

    private static func lines(
        _ podcasts: [PodcastSummary], ending: (PodcastSummary) -> String
    ) -> [ReportText] {
        let columns = podcasts.map { number($0.id).count }.max() ?? 1
        return podcasts.map { podcast in
            let number = ListLayout.rightAligned(number(podcast.id), columns)
            return .output("\(number)  \(PrintableText(podcast.name).text)  \(note(podcast))\(ending(podcast))\n")
        }
    }

    /// Returns the number of a podcast as commands accept it; a plain number is an episode's.
    static func number(_ id: Int64) -> String { "p\(id)" }

    static func groups(_ podcast: PodcastSummary) -> String { podcast.folder.joined(separator: " / ") }

    private static func note(_ podcast: PodcastSummary) -> String {
        let count = "\(podcast.unplayedCount) of \(podcast.episodeCount) unplayed"
        if podcast.feed.goneAt != nil { return "(\(count); the feed no longer exists)" }
        if let failure = podcast.feed.failure { return "(\(count); \(PrintableText(failure).text))" }
        return "(\(count))"
    }
}
