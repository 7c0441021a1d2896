// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeLibrary
import Feeds
import Media
import Playback

/// A recorder that stores the download progress of the library's episodes in the library.
public struct DownloadRecorder: Sendable {
    private let downloads: LibraryDownloads

    public init(_ downloads: LibraryDownloads) {
        self.downloads = downloads
    }

    /// Records that the episode is wanted for `reason`. A download in the trash is restored.
    func begin(_ resolved: ResolvedEpisode, by reason: Download.Reason = .listener) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.begin(episode, by: reason)
    }

    /// Records the stored bytes of an episode after playback has ended.
    func end(_ resolved: ResolvedEpisode) throws {
        if let episode = resolved.libraryEntry?.episode { try downloads.end(episode) }
    }

    /// Records that the server confirmed the file to be the feed's current issue.
    func noteFetched(_ resolved: ResolvedEpisode) throws {
        if let episode = resolved.libraryEntry?.episode { try downloads.library.noteFetched(episode) }
    }

    /// Records a complete download, also if another process held the library locked when it began.
    /// - Parameter isCurrent: true if the server confirmed the file to be the feed's current issue.
    func complete(_ downloadProgress: DownloadProgress, of resolved: ResolvedEpisode, isCurrent: Bool) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        if try downloads.library.download(of: episode) == nil { try downloads.begin(episode, by: .listener) }
        try note(downloadProgress, of: resolved)
        if isCurrent { try noteFetched(resolved) }
    }

    /// Makes the estimated bookmarks of an episode exact if its file is complete.
    func correctBookmarks(of resolved: ResolvedEpisode) throws {
        if let episode = resolved.libraryEntry?.episode { try downloads.correctBookmarks(of: episode) }
    }

    /// Records the stored bytes of an episode that was read.
    func recordStored(_ resolved: ResolvedEpisode) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.surveyPlayed(episode)
    }

    /// Records progress. While the download runs, a locked library is waited for at most 1 second; the next update or
    /// a survey makes up for a missed one.
    func note(_ downloadProgress: DownloadProgress, of resolved: ResolvedEpisode) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        try downloads.library.note(downloadProgress, of: episode, waiting: downloadProgress.isOver ? nil : 1)
    }
}

extension DownloadRecorder {
    /// Returns an alternate enclosure of the episode, other than `url`, in a format that Earshot plays.
    func alternateAudio(of resolved: ResolvedEpisode, besides url: String) throws -> ParsedEnclosure? {
        guard let episode = resolved.libraryEntry?.episode else { return nil }
        return try downloads.library.alternateAudio(of: episode, besides: url)
    }
}

/// The loudness of episodes.
extension DownloadRecorder {
    /// Returns the stored loudness of the episode, and that of the newest episodes of its podcast.
    func knownLoudness(of resolved: ResolvedEpisode) throws -> KnownLoudness {
        guard let episode = resolved.libraryEntry?.episode else { return KnownLoudness() }
        let stored = try downloads.library.loudness(of: episode)
        let kept = stored.flatMap { stored in
            let file = FileFingerprint(length: stored.fileLength, hash: stored.fileHash)
            return LoudnessHistogram(bytes: stored.histogram).map { KeptLoudness($0, of: file) }
        }
        // One more, because the episode may be one of them.
        let newest = try downloads.library.loudnessOfPodcast(of: episode, limit: LoudnessEstimate.episodes + 1)
        return KnownLoudness(
            kept: kept, podcast: newest.map { $0.integrated },
            others: newest.filter { $0.episode != episode }.map { $0.integrated })
    }

    /// Stores the loudness of the episode.
    func keep(_ loudness: KeptLoudness, of resolved: ResolvedEpisode) throws {
        guard let episode = resolved.libraryEntry?.episode else { return }
        let histogram = loudness.histogram
        try downloads.library.store(
            StoredLoudness(
                fileLength: loudness.file.length, fileHash: loudness.file.hash, seconds: histogram.measuredSeconds,
                integrated: histogram.integrated, range: histogram.range, truePeak: histogram.truePeak,
                histogram: histogram.bytes), of: episode)
    }
}
