// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// A list of episodes, one line each.
public struct EpisodeTable: Sendable {
    /// The day in the first column.
    public enum Day: Sendable {
        case published, played
    }

    private static let dayColumns = 10
    private static let mostPodcastColumns = 24
    /// A shorter part of a title is not useful.
    private static let leastTitleColumns = 12

    private let layout: ListLayout
    private let day: Day
    private let showsPodcast: Bool
    private let showsPlace: Bool

    /// - Parameters:
    ///   - showsPodcast: true for episodes of several podcasts.
    ///   - showsPlace: true to number the lines.
    public init(_ layout: ListLayout, day: Day = .published, showsPodcast: Bool = true, showsPlace: Bool = false) {
        (self.layout, self.day, self.showsPodcast, self.showsPlace) = (layout, day, showsPodcast, showsPlace)
    }

    public static func json(_ episodes: [EpisodeSummary]) -> [ReportText] {
        episodes.map { .output(LibraryJSON.line(LibraryJSON.episode($0))) }
    }

    public func plain(_ episodes: [EpisodeSummary]) -> [ReportText] {
        lines(episodes).map { .output($0 + "\n") }
    }

    func lines(_ episodes: [EpisodeSummary]) -> [String] {
        let numberColumns = episodes.map { "\($0.id)".count }.max() ?? 1
        let placeColumns = "\(episodes.count)".count
        let heads = episodes.enumerated().map { place, episode in
            let number = ListLayout.rightAligned("\(episode.id)", numberColumns)
            let place = showsPlace ? ListLayout.rightAligned("#\(place + 1)", placeColumns + 1) + "  " : ""
            return place + number + "  " + dayText(episode) + "  " + mark(episode.progress) + "  "
        }
        let rows = zip(heads, episodes)
        guard let columns = columns(episodes, head: heads.first?.terminalColumns ?? 0) else {
            return rows.map { head, episode in
                ([head + layout.text(episode.name).text, Self.time(episode)] + podcastText(episode))
                    .filter { !$0.isEmpty }.joined(separator: "  ")
            }
        }
        return rows.map { head, episode in
            let time = columns.time.map { [ListLayout.rightAligned(Self.time(episode), $0)] } ?? []
            let podcast = podcastText(episode).map {
                layout.text($0).cut(to: columns.podcast, ellipsis: layout.ellipsis).text
            }
            return ([head + layout.cell(episode.name, columns.title)] + time + podcast.filter { !$0.isEmpty })
                .joined(separator: "  ")
        }
    }

    /// Returns the widths of the columns. A narrow terminal drops the podcast, then the time.
    /// - Returns: `nil` if nothing is truncated.
    private func columns(_ episodes: [EpisodeSummary], head: Int) -> (title: Int, time: Int?, podcast: Int)? {
        guard let width = layout.width else { return nil }
        let time = episodes.map { Self.time($0).count }.max() ?? 0
        let widest = episodes.flatMap(podcastText).map { layout.text($0).columns }.max() ?? 0
        let room = width - head - time - 2
        let podcast = min(widest, Self.mostPodcastColumns)
        let rest = podcast > 0 ? room - podcast - 2 : room
        if rest >= Self.leastTitleColumns { return (rest, time, podcast) }
        return room >= Self.leastTitleColumns ? (room, time, 0) : (max(1, width - head), nil, 0)
    }

    private func dayText(_ episode: EpisodeSummary) -> String {
        let time = day == .played ? episode.playedAt : episode.published
        return time.map(DateText.day) ?? "-" + ListLayout.blanks(Self.dayColumns - 1)
    }

    private func podcastText(_ episode: EpisodeSummary) -> [String] {
        showsPodcast ? [layout.text(episode.podcastTitle ?? "").text].filter { !$0.isEmpty } : []
    }

    private func mark(_ progress: EpisodeSummary.Progress) -> String {
        switch (progress, layout.glyphs) {
        case (.unplayed, .unicode): "○"
        case (.started, .unicode): "◐"
        case (.played, .unicode): "●"
        case (.unplayed, .ascii): "-"
        case (.started, .ascii): ">"
        case (.played, .ascii): "x"
        }
    }

    /// Returns the duration, preceded by the position of a started episode.
    static func time(_ episode: EpisodeSummary) -> String {
        let length = episode.duration.map { ClockText.time($0) }
        guard episode.progress == .started else { return length ?? "" }
        return ClockText.time(episode.position, isEstimated: episode.anchor != nil) + " / " + (length ?? "?")
    }
}
