// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// The output of `earshot podcasts`.
public enum PodcastTable {
    public static func json(_ podcasts: [PodcastSummary]) -> [ReportText] {
        podcasts.map { .output(LibraryJSON.podcast($0).description + "\n") }
    }

    public static func plain(_ podcasts: [PodcastSummary]) -> [ReportText] {
        guard !podcasts.isEmpty else {
            return [.error("No podcasts yet. Subscribe first: earshot subscribe URL\n")]
        }
        let columns = podcasts.map { number($0.id).count }.max() ?? 1
        return podcasts.map { podcast in
            let number = ListLayout.rightAligned(number(podcast.id), columns)
            let group = podcast.folder.isEmpty ? "" : "  [\(PrintableText(groups(podcast)).text)]"
            return .output("\(number)  \(PrintableText(podcast.name).text)  \(note(podcast))\(group)\n")
        }
    }

    /// Returns the number of a podcast as commands accept it; a plain number is an episode's.
    static func number(_ id: Int64) -> String { "p\(id)" }

    static func groups(_ podcast: PodcastSummary) -> String { podcast.folder.joined(separator: " / ") }

    /// Returns the podcasts of a group and its subgroups; `group` is a name or a path (`Sea / Ports`).
    /// - Throws: `missing` if the group has no podcast.
    public static func podcasts(
        _ podcasts: [PodcastSummary], inGroup group: String
    ) throws(LibraryError) -> [PodcastSummary] {
        let path = group.lowercased().split(separator: "/").map { $0.trimmed }
        let found = podcasts.filter { podcast in
            let folder = podcast.folder.map { $0.lowercased().trimmed }
            return folder.starts(with: path) || path.count == 1 && folder.contains(path[0])
        }
        guard !path.isEmpty, !found.isEmpty else {
            throw LibraryError(.missing, "there is no group \"\(group)\"")
        }
        return found
    }

    private static func note(_ podcast: PodcastSummary) -> String {
        let count = "\(podcast.unplayedCount) of \(podcast.episodeCount) unplayed"
        if podcast.feed.goneAt != nil { return "(\(count); the feed no longer exists)" }
        if let failure = podcast.feed.failure { return "(\(count); \(PrintableText(failure).text))" }
        return "(\(count))"
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
