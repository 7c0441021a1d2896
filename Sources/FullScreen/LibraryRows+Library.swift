// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
import Playback
public import Screens
import TerminalInterface

extension LocalDay {
    /// Creates the day of a moment in the local time zone; `nil` for a year that is not a number of four digits.
    public init?(_ time: UTCTime) {
        let parts = DateText.day(time).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }
}

extension EpisodeRow {
    /// - Parameter download: the download, for its progress and failure.
    public init(_ episode: EpisodeSummary, _ download: EpisodeLibrary.Download?) {
        let progress: Progress =
            switch episode.progress {
            case .unplayed: .unplayed
            case .started: .started
            case .played: .played
            }
        let state: Download? =
            switch episode.download {
            case nil: nil
            case .wanted: .wanted
            case .partial: .partial
            case .complete: .complete
            case .failed: .failed
            }
        let fraction = download.flatMap { download in
            download.total.flatMap { $0 > 0 ? min(1, Double(download.storedBytes) / Double($0)) : nil }
        }
        self.init(
            id: episode.id, podcast: episode.podcast, title: episode.name, podcastTitle: episode.podcastTitle ?? "",
            published: episode.published.flatMap { LocalDay($0) }, duration: episode.duration,
            position: episode.position, progress: progress, isQueued: episode.isQueued, download: state,
            downloaded: fraction, failure: state == .failed ? download?.failure : nil)
    }
}

extension PodcastRow {
    public init(_ podcast: PodcastSummary) {
        self.init(
            id: podcast.id, title: podcast.name, groups: podcast.folder, unplayed: podcast.unplayedCount,
            episodes: podcast.episodeCount, failure: podcast.feed.failure)
    }
}

extension EpisodeDetails {
    public init(_ record: EpisodeRecord, hasTranscript: Bool) {
        let chapters = ItemChapters.shown(
            record.chapterLists, length: record.position?.duration, claimed: record.summary.claimedDuration)
        self.init(
            notes: record.notes.lines(width: nil), chapters: chapters?.chapters ?? [],
            areChaptersApproximate: chapters?.isApproximate ?? false,
            image: record.notes.image.map(record.summary.shown), link: record.notes.link.map(record.summary.shown),
            hasTranscript: hasTranscript)
    }
}

extension SettingRow {
    public init(_ key: SettingKey, _ settings: EffectiveSettings) {
        self.init(name: key.rawValue, value: settings[key].description, meaning: key.meaning)
    }
}

extension TranscriptRow {
    public init(_ line: TranscriptLine) {
        self.init(start: line.time?.lowerBound, speaker: line.speaker, text: line.text)
    }
}
