// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import EpisodeSources
import Media

/// The output of `earshot why`: sentences that explain the state of an episode.
public struct EpisodeExplanation: Sendable {
    /// The number of journal entries to search.
    private static let actsLookedAt = 1000

    let record: EpisodeRecord
    let settings: EffectiveSettings
    /// The setting that excludes the episode from automatic downloads; `nil` if none does.
    let refusal: SettingKey?
    /// The changes to the episode and its podcast, latest first.
    let acts: [Act]

    public init(_ record: EpisodeRecord, in library: Library, _ rules: LibraryRules) throws(LibraryError) {
        self.record = record
        settings = try library.effectiveSettings(for: record.podcast.id)
        refusal = try rules.refusal(of: record.summary)
        let names = [
            record.summary.name, record.podcast.name, record.podcast.feedURL,
            PublicAddress.shown(record.podcast.feedURL),
        ]
        acts = try library.acts(limit: Self.actsLookedAt).filter { act in
            names.contains(act.subject) || act.verb == .set && act.subject.hasSuffix(" of \(names[1])")
        }
    }

    public func plain() -> [ReportText] {
        let journal = acts.map { "  " + JournalText.line($0) }
        let title = journal.isEmpty ? [] : ["Changes to the episode and its podcast:"]
        return [ListLayout.page([sentences, title + journal])]
    }

    public func json() -> [ReportText] {
        let object = JSONValue.object([
            .init("id", .integer(record.summary.id)),
            .init("title", LibraryJSON.text(record.summary.title)),
            .init("shown", .bool(isShown)),
            .init("identity", .string(record.notes.identity)),
            .init("refusedBy", .optional(refusal) { .string($0.rawValue) }),
            .init("sentences", .array(sentences.map(JSONValue.string))),
            .init("acts", .array(acts.map(LibraryJSON.act))),
        ])
        return [.output(LibraryJSON.line(object))]
    }

    var sentences: [String] {
        let parts = [[naming, showing], identity, playing, [queueing], downloading]
        return parts.joined().map { PrintableText($0).text }
    }

    // MARK: Shown

    private var naming: String {
        "\"\(record.summary.name)\" is episode \(record.summary.id) of \"\(record.podcast.name)\"."
    }

    private var touches: [String] {
        [
            record.position != nil || record.summary.finishedAt != nil ? "played or marked it" : nil,
            record.queuePlace != nil ? "queued it" : nil,
            record.bookmarks.isEmpty ? nil : "bookmarked it",
            record.download.map { $0.removedAt == nil } ?? false ? "have its audio" : nil,
        ].compactMap { $0 }
    }

    private var isShown: Bool {
        record.podcast.unsubscribedAt == nil && (record.summary.leftAt == nil || !touches.isEmpty)
    }

    private var showing: String {
        if let time = record.podcast.unsubscribedAt {
            return "It is hidden: you unsubscribed from its podcast on \(DateText.minute(time))."
        }
        guard let left = record.summary.leftAt.map(DateText.minute) else { return "It is in the feed." }
        guard !touches.isEmpty else {
            return "It is hidden: it left the feed on \(left), and you have not used it."
        }
        return "It left the feed on \(left), but Earshot keeps it because you \(touches.joined(separator: ", "))."
    }

    // MARK: Identity

    private var identity: [String] {
        let seen = "It was first seen on \(DateText.minute(record.notes.firstSeenAt))."
        return [seen, Self.evidence(record.notes.identity)].filter { !$0.isEmpty }
    }

    private static func evidence(_ reason: String) -> String {
        switch reason {
        case "new": "Its entry in the feed has not changed since then."
        case "guid": "When its entry last changed, Earshot recognized it by its GUID."
        case "enclosure": "When its entry last changed, its GUID was different: Earshot recognized it by its audio URL."
        case "title":
            "When its entry last changed, its GUID and audio URL were different: Earshot recognized it by title, date "
                + "and duration."
        case "order": "Several entries have its GUID: Earshot recognized it by its position among them."
        default: ""
        }
    }

    // MARK: Played

    private var playing: [String] {
        let summary = record.summary
        let length = summary.duration.map { " of \(ClockText.time($0))" } ?? ""
        var sentences: [String]
        switch summary.progress {
        case .played:
            let ended = summary.finishedAt.map { " on \(DateText.minute($0))" } ?? ""
            let isHeard = summary.playedAt != nil && summary.playedAt == summary.finishedAt
            sentences = [isHeard ? "You played it to the end\(ended)." : "It was marked as played\(ended)."]
        case .started:
            let time = summary.playedAt.map { ", saved on \(DateText.minute($0))" } ?? ""
            let position = ClockText.time(summary.position, isEstimated: summary.anchor != nil)
            sentences = ["Your position is \(position)\(length)\(time)."]
        case .unplayed:
            sentences = ["It is unplayed."]
        }
        let heard = record.listened.reduce(Duration.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        if heard > .zero { sentences.append("You have played \(ClockText.time(heard)) of it.") }
        return sentences
    }

    private var queueing: String {
        record.queuePlace.map { "It is at position \($0) in the queue." } ?? "It is not in the queue."
    }

    // MARK: Downloaded

    private var downloading: [String] {
        guard let download = record.download else { return ["It is not downloaded.", rule] }
        let wanted = Self.wanted(download)
        guard let removed = download.removedAt else {
            let isRefused = download.requestedBy == .rule && download.state != .complete && refusal != nil
            return [wanted, "Download: \(DownloadState.text(download))."] + (isRefused ? [rule] : [])
        }
        let time = DateText.minute(removed)
        let removal =
            download.isInTrash
            ? "It has been in the trash since \(time): \"earshot download\" restores it."
            : "It was removed on \(time): \"earshot download\" downloads it again."
        return [wanted, removal]
    }

    private static func wanted(_ download: Download) -> String {
        let time = DateText.minute(download.requestedAt)
        return switch (download.requestedBy, download.state == .complete) {
        case (.listener, true): "You downloaded it on \(time)."
        case (.listener, false): "You requested its download on \(time)."
        case (.playing, true): "You used its audio on \(time), so it was downloaded."
        case (.playing, false): "You used its audio on \(time), which started its download."
        case (.rule, true): "It was downloaded automatically on \(time)."
        case (.rule, false): "Its automatic download was requested on \(time)."
        }
    }

    private var rule: String {
        if record.summary.enclosureURL == nil { return "Its feed gives no audio URL." }
        if record.summary.progress == .played { return "Not downloaded automatically: it is marked as played." }
        guard let key = refusal else {
            return "The next \"earshot refresh\" downloads it."
        }
        let (value, origin) = settings.effectiveValue(key)
        let place = origin == .podcast ? " for this podcast" : origin == .standard ? " (the default)" : ""
        return "Not downloaded automatically: \(key.rawValue) is \(value)\(place)."
    }
}
