// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import Playback

extension LibraryJSON {
    /// Returns the value as one line.
    static func line(_ value: JSONValue) -> String { value.description + "\n" }

    static func episode(_ episode: EpisodeSummary) -> JSONValue { .object(members(episode)) }

    static func members(_ episode: EpisodeSummary) -> [JSONValue.Member] {
        [
            .init("id", .integer(episode.id)),
            .init("podcast", .integer(episode.podcast)),
            .init("podcastTitle", text(episode.podcastTitle)),
            .init("title", text(episode.title)),
            .init("published", time(episode.published)),
            .init("duration", seconds(episode.duration)),
            .init("season", number(episode.season)),
            .init("number", number(episode.number)),
            .init("type", text(episode.kind)),
            .init("guid", .string(episode.shown(episode.guid))),
            .init("enclosure", enclosure(episode)),
            .init("progress", .string(episode.progress.rawValue)),
            .init("position", .seconds(episode.position)),
            .init("positionQuality", quality(episode.anchor)),
            .init("played", time(episode.playedAt)),
            .init("finished", time(episode.finishedAt)),
            .init("queued", .bool(episode.isQueued)),
            .init("download", .optional(episode.download) { .string($0.rawValue) }),
            .init("left", time(episode.leftAt)),
        ]
    }

    /// Returns the word for the quality of a saved position.
    private static func quality(_ anchor: TimeAnchor?) -> JSONValue { .string(anchor == nil ? "exact" : "estimated") }

    private static func enclosure(_ episode: EpisodeSummary) -> JSONValue {
        .optional(episode.enclosureURL) { url in
            .object([
                .init("url", .string(episode.shown(url))),
                .init("type", text(episode.enclosureType)),
                .init("length", .optional(episode.enclosureLength, JSONValue.integer)),
            ])
        }
    }

    /// Returns the episode with the details that only `show` prints.
    static func record(_ record: EpisodeRecord, _ chapters: ItemChapters?) -> JSONValue {
        let notes = record.notes
        let more: [JSONValue.Member] = [
            .init("summary", text(notes.summary)),
            .init("notes", .string(notes.words)),
            .init("notesHTML", text(notes.html)),
            .init("link", text(notes.link.map(record.summary.shown))),
            .init("image", text(notes.image.map(record.summary.shown))),
            .init("author", text(notes.author)),
            .init("explicit", .optional(notes.isExplicit, JSONValue.bool)),
            .init("identity", .string(notes.identity)),
            .init("firstSeen", time(notes.firstSeenAt)),
            .init("version", text(record.position?.version)),
            .init("listened", .array(record.listened.map(EventJSON.timeRange))),
            .init("chapters", .array((chapters?.chapters ?? []).map { chapter($0, record.summary) })),
            .init("chaptersApproximate", .bool(chapters?.isApproximate ?? false)),
            .init("chaptersSource", .optional(chapters) { .string(ChapterJSON.name($0.source)) }),
            .init("bookmarks", .array(record.bookmarks.map(bookmark))),
            .init("transcript", .optional(transcript(record.transcript), JSONValue.string)),
            .init("queuePlace", number(record.queuePlace)),
            .init("kept", .optional(record.download) { download($0, record.summary.shown) }),
            .init("details", document(notes.details, isPrivate: record.summary.isPrivate)),
        ]
        return .object(members(record.summary) + more)
    }

    private static func transcript(_ presence: TranscriptPresence) -> String? {
        switch presence {
        case .stored: "stored"
        case .offered: "offered"
        case .missing: nil
        }
    }

    private static func chapter(_ chapter: Chapter, _ episode: EpisodeSummary) -> JSONValue {
        .object(ChapterJSON.members(chapter, address: episode.shown))
    }

    static func bookmark(_ bookmark: Bookmark) -> JSONValue {
        .object([
            .init("id", .integer(bookmark.id)),
            .init("episode", .integer(bookmark.episode)),
            .init("position", .seconds(bookmark.position)),
            .init("positionQuality", .string(bookmark.isExact ? "exact" : "estimated")),
            .init("version", text(bookmark.version)),
            .init("title", text(bookmark.title)),
            .init("made", time(bookmark.madeAt)),
        ])
    }

    /// Returns a soundbite with keys of a bookmark.
    static func soundbite(_ soundbite: Soundbite, of episode: Int64?) -> JSONValue {
        .object([
            .init("id", .null),
            .init("episode", .optional(episode, JSONValue.integer)),
            .init("soundbite", .integer(Int64(soundbite.id))),
            .init("position", .seconds(soundbite.start)),
            .init("duration", .seconds(soundbite.duration)),
            .init("title", text(soundbite.title)),
        ])
    }

    /// Returns the download.
    /// - Parameter address: returns the form of an address to write.
    static func download(_ download: Download, _ address: (String) -> String) -> JSONValue {
        .object([
            .init("state", .string(download.state.rawValue)),
            .init("wantedBy", .string(download.requestedBy.rawValue)),
            .init("wanted", time(download.requestedAt)),
            .init("keptAs", .string(address(download.keptAs))),
            .init("held", .integer(download.storedBytes)),
            .init("total", .optional(download.total, JSONValue.integer)),
            .init("failure", text(download.failure)),
            .init("finished", time(download.finishedAt)),
            .init("removed", time(download.removedAt)),
        ])
    }

    static func act(_ act: Act) -> JSONValue {
        .object([
            .init("id", .integer(act.id)),
            .init("at", time(act.at)),
            .init("verb", .string(act.verb.rawValue)),
            .init("subject", .string(act.subject)),
            .init("undone", .bool(act.isUndone)),
        ])
    }

    static func number(_ number: Int?) -> JSONValue { .optional(number) { .integer(Int64($0)) } }

    /// Returns a document of a feed with its addresses redacted; `null` if it is not JSON.
    static func document(_ details: String?, isPrivate: Bool) -> JSONValue {
        details.flatMap { try? JSONValue(parsing: shown($0, isPrivate: isPrivate)) } ?? .null
    }

    /// Redacts the addresses. They are between quotation marks; a backslash before the closing mark is not part of one.
    private static func shown(_ details: String, isPrivate: Bool) -> String {
        details.split(separator: "\"", omittingEmptySubsequences: false).map { part -> String in
            guard part.hasPrefix("http") else { return String(part) }
            let address = part.hasSuffix("\\") ? part.dropLast() : part
            return PublicAddress.shown(String(address), isPrivate: isPrivate) + part[address.endIndex...]
        }.joined(separator: "\"")
    }
}
