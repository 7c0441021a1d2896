// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import Media

/// The contents of a library that matter to the user, one item per line, read with the public queries.
enum LibraryDump {
    static func lines(_ library: Library) throws(LibraryError) -> [String] {
        var lines: [String] = []
        for podcast in try library.podcasts() { lines += try Self.lines(podcast, library) }
        for (key, value) in try library.settings().sorted(by: { $0.key < $1.key }) { lines.append("\(key) = \(value)") }
        for act in try library.acts(limit: 100) {
            lines.append("act \(act.verb.rawValue) \(act.subject)\(act.isUndone ? " (undone)" : "")")
        }
        lines.append("queue \(try library.queue().map(\.id))")
        lines.append("history \(try library.history(limit: 9).map(\.id))")
        lines.append("downloads \(try library.downloads().map(\.keptAs))")
        lines.append("bookmarks \(try library.bookmarks().map(\.id))")
        while try library.indexSome() > 0 {}
        lines.append("found \(try library.search("storm", limit: 9).map(\.id))")
        lines.append("found \(try library.search("number", limit: 9).map(\.id).sorted())")
        for hit in try library.searchTranscripts("gull", limit: 9) { lines.append("said \(hit.sentence)") }
        lines.append("called storm \(try library.episode(named: "storm").id)")
        return lines
    }

    private static func lines(_ podcast: PodcastSummary, _ library: Library) throws(LibraryError) -> [String] {
        let login = try library.login(for: podcast.id)
        var lines = [
            "podcast \(podcast.id) \(podcast.name) \(podcast.feedURL) \(podcast.folder) \(podcast.feed.etag ?? "-") "
                + "\(podcast.feed.failure ?? "-") \(login?.user ?? "-") \(login?.password ?? "-")"
        ]
        for (key, value) in try library.settings(of: podcast.id).sorted(by: { $0.key < $1.key }) {
            lines.append("  \(key) = \(value)")
        }
        for episode in try library.episodes(EpisodeFilter(podcast: podcast.id), limit: 1000).episodes {
            lines += Self.lines(try library.record(of: episode.id))
            if let stored = try library.transcript(of: episode.id) { lines += Self.lines(stored) }
            if let loudness = try library.loudness(of: episode.id) { lines.append("    loudness \(loudness)") }
        }
        return lines
    }

    private static func lines(_ stored: StoredTranscript) -> [String] {
        ["    transcript \(stored.url) \(stored.version ?? "-") \(stored.transcript.language ?? "-")"]
            + stored.lines(width: 80).map { "      " + $0 }
    }

    private static func lines(_ record: EpisodeRecord) -> [String] {
        let episode = record.summary
        var lines = [
            "  episode \(episode.id) \(episode.name) \(episode.guid) \(episode.enclosureURL ?? "-") "
                + "\(episode.progress.rawValue)\(episode.leftAt == nil ? "" : " (left)") \(record.notes.words)"
        ]
        if let position = record.position {
            lines.append("    at \(position.position) of \(position.version ?? "-"), heard \(record.listened)")
        }
        for bookmark in record.bookmarks {
            let anchor = bookmark.anchor.map { " from \($0.text)" } ?? ""
            lines.append("    bookmark \(bookmark.position)\(anchor) \(bookmark.title ?? "-")")
        }
        if let place = record.queuePlace { lines.append("    queued \(place)") }
        if let download = record.download {
            lines.append("    \(download.state.rawValue) \(download.storedBytes) of \(download.total ?? 0) bytes")
        }
        return lines
    }
}
