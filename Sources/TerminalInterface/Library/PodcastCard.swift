// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The details of a podcast.
public struct PodcastRecord: Sendable, Equatable {
    public let summary: PodcastSummary
    /// The former addresses, latest first.
    public let formerAddresses: [String]
    /// The settings of this podcast, by key.
    public let settings: [String: String]
    public let hasLogin: Bool

    /// The former addresses without their secrets.
    var shownFormerAddresses: [String] {
        formerAddresses.map { PublicAddress.shown($0, isPrivate: summary.isPrivate) }
    }

    public init(_ library: Library, _ podcast: PodcastSummary) throws(LibraryError) {
        summary = podcast
        formerAddresses = try library.formerAddresses(of: podcast.id)
        settings = try library.settings(of: podcast.id)
        hasLogin = try library.login(for: podcast.id) != nil
    }
}

/// The output of `earshot show PODCAST`.
public struct PodcastCard: Sendable {
    private let layout: ListLayout

    public init(_ layout: ListLayout) { self.layout = layout }

    public static func json(_ record: PodcastRecord) -> [ReportText] {
        [.output(LibraryJSON.line(LibraryJSON.record(record)))]
    }

    public func plain(_ record: PodcastRecord) -> [ReportText] {
        let title = [layout.text(record.summary.name).text]
        let words = WrappedText.lines(layout.text(record.summary.description ?? ""), columns: layout.width)
        let blocks = [title, facts(record), words]
        return [ListLayout.page(blocks)]
    }

    private func facts(_ record: PodcastRecord) -> [String] {
        let summary = record.summary
        var facts = FactLines(layout)
        facts.add("number", PodcastTable.number(summary.id))
        facts.add("author", summary.author)
        facts.add("episodes", "\(summary.episodeCount), \(summary.unplayedCount) unplayed")
        facts.add("latest", summary.latest.map(DateText.day))
        facts.add("subscribed", DateText.day(summary.subscribedAt))
        facts.add("unsubscribed", summary.unsubscribedAt.map(DateText.day))
        facts.add("groups", PodcastTable.groups(summary))
        facts.add("language", summary.language)
        facts.add("link", summary.link.map { PublicAddress.shown($0) })
        facts.add("feed", summary.shownFeedURL)
        for address in record.shownFormerAddresses { facts.add("former feed", address) }
        facts.add("password", record.hasLogin ? "saved" : nil)
        facts.add("refreshed", summary.feed.succeededAt.map(DateText.minute))
        facts.add("gone", summary.feed.goneAt.map { "reported by the server on \(DateText.day($0))" })
        facts.add("failure", summary.feed.failure.map { "\($0) (\(summary.feed.failures) in a row)" })
        facts.add("image", summary.image.map { PublicAddress.shown($0) })
        for (key, value) in record.settings.sorted(by: { $0.key < $1.key }) { facts.add(key, value) }
        return facts.lines
    }
}

extension LibraryJSON {
    static func record(_ record: PodcastRecord) -> JSONValue {
        .object(
            members(record.summary) + [
                .init("unsubscribed", time(record.summary.unsubscribedAt)),
                .init("formerAddresses", .array(record.shownFormerAddresses.map(JSONValue.string))),
                .init("hasPassword", .bool(record.hasLogin)),
                .init("settings", settings(record.settings)),
                .init("details", document(record.summary.details, isPrivate: record.summary.isPrivate)),
            ])
    }

    static func settings(_ settings: [String: String]) -> JSONValue {
        .object(settings.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }
}
