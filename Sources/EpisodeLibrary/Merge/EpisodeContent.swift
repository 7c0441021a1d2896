// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import SQLDatabase

/// The stored content of an episode, as its feed gives it, as one row.
struct EpisodeContent {
    let row: [(any DatabaseValueConvertible)?]
    let notes: [(any DatabaseValueConvertible)?]

    /// The columns in the order of `row`.
    static let columns = [
        "title", "published", "duration", "season", "number", "kind", "explicit", "guid", "link", "image", "author",
        "enclosure_url", "enclosure_type", "enclosure_length",
    ]
    static let notesColumns = ["summary", "html", "details"]

    init(_ episode: ParsedEpisode) {
        let audio = episode.playableEnclosure
        row = [
            episode.title, episode.published?.secondsSince1970, episode.duration?.microseconds, episode.season,
            episode.number, episode.kind?.rawValue, episode.isExplicit, episode.id.rawValue, episode.link,
            episode.image, episode.author, audio?.url, audio?.type, audio?.length,
        ]
        // Many feeds give the same text twice.
        let summary = episode.description == episode.contentHTML ? nil : episode.description
        notes = [summary, episode.contentHTML, DetailDocument.text(of: episode)]
    }

    init(staged row: Row) {
        let values = Array(row.databaseValues)
        let first = values.count - Self.columns.count - Self.notesColumns.count
        self.row = Array(values[first..<(first + Self.columns.count)])
        notes = Array(values.suffix(Self.notesColumns.count))
    }

    /// The details as JSON; `nil` if there are none.
    var details: String? { notes.last.flatMap { $0 }.flatMap { String.fromDatabaseValue($0.databaseValue) } }

    /// Returns the digest of all stored content; it is equal if nothing changed.
    static func digest(_ episode: ParsedEpisode) -> Int64 {
        var digest = ContentDigest()
        for text in [
            episode.id.rawValue, episode.title, episode.link, episode.image, episode.author, episode.kind?.rawValue,
            episode.description, episode.contentHTML, episode.chaptersURL, episode.license?.identifier,
            episode.location?.name,
        ] { digest.add(text) }
        let numbers: [Int64?] = [
            episode.published?.secondsSince1970, episode.duration?.microseconds, episode.season.map(Int64.init),
            episode.number.map(Int64.init), episode.isExplicit.map { $0 ? 1 : 0 },
        ]
        for number in numbers { digest.add(number) }
        for enclosure in episode.enclosures {
            digest.add(enclosure.url)
            digest.add(enclosure.type)
            digest.add(enclosure.length)
        }
        if episode.hasDetails { digest.add(DetailDocument.text(of: episode)) }
        return digest.value
    }
}

extension ParsedEpisode {
    /// True if the episode has details; this check is cheaper than writing the document.
    fileprivate var hasDetails: Bool {
        !chapters.isEmpty || !transcripts.isEmpty || !persons.isEmpty || !soundbites.isEmpty
            || !alternateEnclosures.isEmpty || value != nil || !socialInteractions.isEmpty
    }
}
