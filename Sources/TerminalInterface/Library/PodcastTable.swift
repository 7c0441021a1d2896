// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// The answer of `earshot podcasts`.
public enum PodcastTable {
    public static func json(_ podcasts: [PodcastSummary]) -> [ReportText] {
        podcasts.map { .output(LibraryJSON.podcast($0).description + "\n") }
    }

    public static func plain(_ podcasts: [PodcastSummary]) -> [ReportText] {
        guard !podcasts.isEmpty else {
            return [.error("There are no podcasts yet: earshot subscribe URL\n")]
        }
        let width = podcasts.map { "\($0.id)".count }.max() ?? 1
        return podcasts.map { podcast in
            let number = "\(podcast.id)"
            let padding = String(repeating: " ", count: width - number.count)
            return .output("\(padding)\(number)  \(PrintableText(podcast.name).text)  \(note(podcast))\n")
        }
    }

    private static func note(_ podcast: PodcastSummary) -> String {
        let count = "\(podcast.unplayedCount) of \(podcast.episodeCount) unplayed"
        if podcast.feed.goneAt != nil { return "(\(count); the feed is gone)" }
        if let failure = podcast.feed.failure { return "(\(count); \(PrintableText(failure).text))" }
        return "(\(count))"
    }
}
