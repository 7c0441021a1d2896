// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
import Playback

/// The output of `earshot show EPISODE`.
public struct EpisodeCard: Sendable {
    private let layout: ListLayout

    public init(_ layout: ListLayout) { self.layout = layout }

    /// Returns the chapters to show: those in the audio file, otherwise those of the best list of the feed.
    private static func chapters(
        of record: EpisodeRecord, _ inFile: ChapterList?, _ length: Duration?
    ) -> ItemChapters? {
        let lists = (inFile.map { [$0] } ?? []) + record.chapterLists
        return ItemChapters.shown(
            lists, length: length ?? record.position?.duration, claimed: record.summary.claimedDuration)
    }

    /// - Parameters:
    ///   - inFile: the chapters that the audio file states, if it is complete.
    ///   - length: the duration of that file, if it is not an estimate.
    public static func json(
        _ record: EpisodeRecord, inFile: ChapterList? = nil, length: Duration? = nil
    ) -> [ReportText] {
        [.output(LibraryJSON.line(LibraryJSON.record(record, chapters(of: record, inFile, length))))]
    }

    /// - Parameters:
    ///   - inFile: the chapters that the audio file states, if it is complete.
    ///   - length: the duration of that file, if it is not an estimate.
    public func plain(
        _ record: EpisodeRecord, inFile: ChapterList? = nil, length: Duration? = nil
    ) -> [ReportText] {
        let notes = record.notes.lines(width: layout.width).map { PrintableText(keepingSpaces: $0, cutTo: .max).text }
        let blocks = [
            head(record), facts(record), notes, chapters(record, Self.chapters(of: record, inFile, length)),
            bookmarks(record),
        ]
        return [ListLayout.page(blocks)]
    }

    private func head(_ record: EpisodeRecord) -> [String] {
        [layout.text(record.summary.name).text, layout.text(record.podcast.name).text].filter { !$0.isEmpty }
    }

    private func facts(_ record: EpisodeRecord) -> [String] {
        let (summary, notes) = (record.summary, record.notes)
        var facts = FactLines(layout)
        facts.add("number", "\(summary.id)")
        facts.add("published", summary.published.map(DateText.minute))
        facts.add("duration", summary.duration.map { ClockText.time($0) })
        facts.add("season", summary.season.map(String.init))
        facts.add("episode", summary.number.map(String.init))
        facts.add("type", summary.kind)
        facts.add("author", notes.author)
        facts.add("progress", Self.progress(record))
        facts.add("queue", record.queuePlace.map { "position \($0)" })
        facts.add("download", record.download.map(DownloadState.text))
        facts.add("transcript", Self.transcript(record))
        facts.add("in the feed", summary.leftAt.map { "no longer, since \(DateText.day($0))" })
        facts.add("GUID", summary.shown(summary.guid))
        facts.add("link", notes.link.map(summary.shown))
        facts.add("audio", summary.enclosureURL.map { summary.shown($0) + Self.claims(summary) })
        facts.add("image", notes.image.map(summary.shown))
        return facts.lines
    }

    private static func progress(_ record: EpisodeRecord) -> String {
        switch record.summary.progress {
        case .unplayed: "not played"
        case .started: "at " + position(record.summary) + Self.since(record.summary.playedAt)
        case .played: "played" + Self.since(record.summary.finishedAt)
        }
    }

    private static func position(_ summary: EpisodeSummary) -> String {
        ClockText.time(summary.position, isEstimated: summary.anchor != nil)
    }

    private static func transcript(_ record: EpisodeRecord) -> String? {
        let command = "earshot transcript \(record.summary.id)"
        return switch record.transcript {
        case .stored: "stored; to read it: \(command)"
        case .offered: "offered by the feed; to fetch and read it: \(command)"
        case .missing: nil
        }
    }

    private static func since(_ time: UTCTime?) -> String { time.map { ", " + DateText.minute($0) } ?? "" }

    private static func claims(_ summary: EpisodeSummary) -> String {
        let foreign = summary.enclosureType.flatMap(UnsupportedAudio.name(ofMediaType:))
        let claims = [
            summary.enclosureType, summary.enclosureLength.map(ClockText.size),
            foreign.map { "Earshot cannot play \($0)" },
        ].compactMap { $0 }
        return claims.isEmpty ? "" : " (\(claims.joined(separator: ", ")))"
    }

    private func chapters(_ record: EpisodeRecord, _ found: ItemChapters?) -> [String] {
        guard let found else { return [] }
        let chapters = found.chapters
        let times = chapters.map { ClockText.time($0.start, isEstimated: found.isApproximate) }
        let columns = times.map(\.count).max() ?? 0
        let lines = zip(times, chapters).map { time, chapter in
            [
                "  " + ListLayout.rightAligned(time, columns), layout.text(chapter.title ?? "").text,
                layout.text(chapter.url.map(record.summary.shown) ?? "").text,
            ]
            .filter { !$0.isEmpty }.joined(separator: "  ")
        }
        return ["Chapters \(ChapterText.name(found.source))"] + lines
    }

    private func bookmarks(_ record: EpisodeRecord) -> [String] {
        let lines = record.bookmarks.map { "  " + BookmarkTable.line($0, layout) }
            + record.notes.soundbites.map { "  " + BookmarkTable.line($0, layout) }
        return lines.isEmpty ? [] : ["Bookmarks"] + lines
    }
}

/// The state of a download in a few words.
enum DownloadState {
    static func text(_ download: Download) -> String {
        if let removed = download.removedAt {
            return "\(download.isInTrash ? "in the trash since" : "removed on") \(DateText.day(removed))"
        }
        switch download.state {
        case .wanted: return "pending, nothing received yet"
        case .partial: return "incomplete, \(held(download)) of \(download.total.map(ClockText.size) ?? "?")"
        case .complete: return "complete, \(held(download))"
        case .failed: return "failed: \(download.failure ?? "unknown reason")"
        }
    }

    private static func held(_ download: Download) -> String { ClockText.size(download.storedBytes) }
}
