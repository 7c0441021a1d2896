// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
public import Subscriptions

/// The output of `earshot export --json`: everything in the library as JSON lines, without passwords.
public struct ExportText {
    /// The version of the format; it increases when a key changes its meaning.
    private static let version: Int64 = 1

    private let library: Library
    private let addresses: ExportedAddresses

    public init(_ library: Library, _ addresses: ExportedAddresses) {
        (self.library, self.addresses) = (library, addresses)
    }

    public func lines(_ podcasts: [PodcastSummary], at now: UTCTime) throws(LibraryError) -> [String] {
        let touched = try library.touchedEpisodes()
        let queues = try library.smartQueues()
        var lines = [try header(podcasts.count, touched.count, queues.count, at: now)]
        for podcast in podcasts { lines.append(try self.podcast(PodcastRecord(library, podcast))) }
        for id in touched { lines.append(try episode(library.record(of: id))) }
        for queue in queues { lines.append(try smartQueue(queue)) }
        return lines.map(\.description)
    }

    private func header(
        _ podcasts: Int, _ episodes: Int, _ smartQueues: Int, at now: UTCTime
    ) throws(LibraryError) -> JSONValue {
        let secret = Set(try addresses.secretSettings(of: library))
        let settings = try library.settings().filter { !secret.contains($0.key) }
        let changes = try library.settingTimes().filter { !secret.contains($0.key) }
        return .object([
            .init("kind", .string("library")),
            .init("version", .integer(Self.version)),
            .init("exported", LibraryJSON.time(now)),
            .init("podcasts", .integer(Int64(podcasts))),
            .init("episodes", .integer(Int64(episodes))),
            .init("smartQueues", .integer(Int64(smartQueues))),
            .init("settings", LibraryJSON.settings(settings)),
            .init("settingsChanged", Self.times(changes)),
            .init("listening", try listening(of: nil)),
        ])
    }

    private static func times(_ times: [String: UTCTime]) -> JSONValue {
        .object(times.sorted { $0.key < $1.key }.map { .init($0.key, LibraryJSON.time($0.value)) })
    }

    private func feedURL(_ podcast: PodcastSummary) -> JSONValue {
        .string(addresses.feedURLs[podcast.id] ?? podcast.shownFeedURL)
    }

    private func podcast(_ record: PodcastRecord) throws(LibraryError) -> JSONValue {
        let summary = record.summary
        let former = record.formerAddresses.map { addresses.text($0, isPrivate: summary.isPrivate) }
        return .object([
            .init("kind", .string("podcast")),
            .init("feedURL", feedURL(summary)),
            .init("title", LibraryJSON.text(summary.title)),
            .init("ownTitle", LibraryJSON.text(summary.ownTitle)),
            .init("podcastGUID", LibraryJSON.text(summary.guid)),
            .init("folder", .array(summary.folder.map(JSONValue.string))),
            .init("subscribed", LibraryJSON.time(summary.subscribedAt)),
            .init("formerAddresses", .array(former.map(JSONValue.string))),
            .init("hasPassword", .bool(record.hasLogin)),
            .init("settings", LibraryJSON.settings(record.settings)),
            .init("settingsChanged", Self.times(try library.settingTimes(of: summary.id))),
            .init("listening", try listening(of: summary.id)),
        ])
    }

    private func listening(of podcast: Int64?) throws(LibraryError) -> JSONValue {
        .array(
            try library.listeningDays(of: podcast).map { entry in
                .object([
                    .init("day", .string(entry.day.description)),
                    .init("heard", .seconds(.microseconds(entry.time.heard))),
                    .init("took", .seconds(.microseconds(entry.time.wall))),
                    .init("savedByPauses", .seconds(.microseconds(entry.time.trimmed))),
                ])
            })
    }

    private func episode(_ record: EpisodeRecord) throws(LibraryError) -> JSONValue {
        let summary = record.summary
        let text = { addresses.text($0, isPrivate: summary.isPrivate) }
        let shifts = try library.transcriptShifts(of: summary.id)
        let merged = try merged(record)
        return .object([
            .init("kind", .string("episode")),
            .init("feedURL", feedURL(record.podcast)),
            .init("guid", .string(text(summary.guid))),
            .init("enclosureURL", LibraryJSON.text(summary.enclosureURL.map(text))),
            .init("title", LibraryJSON.text(summary.title)),
            .init("published", LibraryJSON.time(summary.published)),
            .init("progress", .string(summary.progress.rawValue)),
            .init("position", .seconds(summary.position)),
            .init("anchor", Self.anchor(summary.anchor)),
            .init("version", LibraryJSON.text(record.position?.version)),
            .init("duration", LibraryJSON.seconds(record.position?.duration)),
            .init("played", LibraryJSON.time(summary.playedAt)),
            .init("finished", LibraryJSON.time(summary.finishedAt)),
            .init("marked", LibraryJSON.time(record.position?.markedAt)),
            .init("listened", .array(record.listened.map(EventJSON.timeRange))),
            .init("bookmarks", .array(record.bookmarks.map(Self.bookmark))),
            .init("transcriptShift", LibraryJSON.seconds(shifts.first == .zero ? nil : shifts.first)),
            .init("laterShifts", LibraryJSON.laterShifts(shifts)),
            .init("queuePlace", LibraryJSON.number(record.queuePlace)),
            .init("download", .optional(record.download) { LibraryJSON.download($0, text) }),
            .init("mergedGUIDs", .array(merged.guids.map(Self.digest))),
            .init("mergedEnclosures", .array(merged.enclosures.map(Self.digest))),
        ])
    }

    private func merged(_ record: EpisodeRecord) throws(LibraryError) -> LibraryCopy.MergedIdentifiers {
        guard addresses.includesDigests(of: record.podcast) else { return LibraryCopy.MergedIdentifiers() }
        return try library.mergedIdentifiers(of: record.summary.id)
    }

    private static func digest(_ digest: Int64) -> JSONValue {
        .string(String(UInt64(bitPattern: digest), radix: 16))
    }

    private func smartQueue(_ queue: SmartQueue) throws(LibraryError) -> JSONValue {
        var (podcast, group) = (JSONValue.null, JSONValue.null)
        switch queue.scope {
        case .everything: break
        case .podcast(let id): podcast = feedURL(try library.podcast(id))
        case .group(let path): group = .string(path)
        }
        return .object([
            .init("kind", .string("smartQueue")),
            .init("name", .string(queue.name)),
            .init("feedURL", podcast),
            .init("group", group),
            .init("newestFirst", .bool(queue.newestFirst)),
            .init("most", .integer(Int64(queue.most))),
        ])
    }

    private static func anchor(_ anchor: TimeAnchor?) -> JSONValue {
        .optional(anchor) { anchor in
            .object([
                .init("offset", .integer(anchor.offset)),
                .init("time", .seconds(anchor.time)),
                .init("length", .integer(anchor.totalLength)),
            ])
        }
    }

    /// Returns a bookmark without its numbers, which have no meaning in another library.
    private static func bookmark(_ bookmark: Bookmark) -> JSONValue {
        .object([
            .init("position", .seconds(bookmark.position)),
            .init("anchor", anchor(bookmark.anchor)),
            .init("version", LibraryJSON.text(bookmark.version)),
            .init("title", LibraryJSON.text(bookmark.title)),
            .init("made", LibraryJSON.time(bookmark.madeAt)),
        ])
    }
}

extension ExportText {
    /// Returns remarks about secrets that the export omits.
    /// - Parameter settings: the settings that the export omits.
    public static func remarks(
        _ podcasts: [PodcastRecord], settings: [String], _ addresses: ExportedAddresses
    ) -> [ReportText] {
        let hidden = addresses.incomplete.map(\.name)
        let passwords = podcasts.filter(\.hasLogin).map(\.summary.name)
        return [
            remark(hidden, "The private URL", "The private URLs", "--with-secrets includes such URLs."),
            remark(passwords, "The password", "The passwords", "After an import, subscribe again with your password."),
            remark(settings, "The private value", "The private values", "After an import, set it again."),
        ].compactMap { $0 }
    }

    private static func remark(_ names: [String], _ one: String, _ many: String, _ advice: String) -> ReportText? {
        guard !names.isEmpty else { return nil }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let verb = names.count == 1 ? "was" : "were"
        return LibraryRemark.message("\(names.count == 1 ? one : many) of \(list) \(verb) left out. \(advice)")
    }
}
