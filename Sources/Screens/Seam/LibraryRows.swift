// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A day in local time.
public struct LocalDay: Sendable, Hashable {
    public var year: Int
    /// 1...12
    public var month: Int
    /// 1...31
    public var day: Int

    public init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }
}

/// An episode in a list. Titles come from feeds and may contain anything; the grid cleans them.
public struct EpisodeRow: Sendable, Hashable, Identifiable {
    public enum Progress: Sendable, Hashable { case unplayed, started, played }

    public enum Download: Sendable, Hashable { case wanted, partial, complete, failed }

    public var id: Int64
    public var podcast: Int64
    public var title: String
    public var podcastTitle: String
    public var published: LocalDay?
    public var duration: Duration?
    public var position: Duration
    public var progress: Progress
    public var isQueued: Bool
    public var download: Download?
    /// The stored bytes, 0...1; `nil` if the length is unknown or nothing is stored.
    public var downloaded: Double?
    /// The reason of a failed download, as a sentence.
    public var failure: String?

    public init(
        id: Int64, podcast: Int64 = 0, title: String, podcastTitle: String = "", published: LocalDay? = nil,
        duration: Duration? = nil, position: Duration = .zero, progress: Progress = .unplayed,
        isQueued: Bool = false, download: Download? = nil, downloaded: Double? = nil, failure: String? = nil
    ) {
        (self.id, self.podcast, self.title, self.podcastTitle) = (id, podcast, title, podcastTitle)
        (self.published, self.duration, self.position) = (published, duration, position)
        (self.progress, self.isQueued, self.download) = (progress, isQueued, download)
        (self.downloaded, self.failure) = (downloaded, failure)
    }
}

/// A part of a list of episodes.
public struct EpisodePage: Sendable, Equatable {
    public var rows: [EpisodeRow]
    /// The index of the first row in the whole list.
    public var start: Int
    /// The number of episodes in the whole list.
    public var total: Int

    public init(_ rows: [EpisodeRow], start: Int = 0, total: Int) {
        (self.rows, self.start, self.total) = (rows, start, total)
    }
}

/// A podcast in the list of podcasts.
public struct PodcastRow: Sendable, Hashable, Identifiable {
    public var id: Int64
    public var title: String
    /// The groups that contain the podcast, the outermost first.
    public var groups: [String]
    public var unplayed: Int
    public var episodes: Int
    /// The reason of the last failed refresh, as a sentence.
    public var failure: String?

    public init(
        id: Int64, title: String, groups: [String] = [], unplayed: Int = 0, episodes: Int = 0, failure: String? = nil
    ) {
        (self.id, self.title, self.groups) = (id, title, groups)
        (self.unplayed, self.episodes, self.failure) = (unplayed, episodes, failure)
    }
}

/// The details of an episode.
public struct EpisodeDetails: Sendable, Equatable {
    /// The notes as paragraphs, not wrapped.
    public var notes: [String]
    public var chapters: [Chapter]
    /// True if the times of the chapters may be those of another version of the audio.
    public var areChaptersApproximate: Bool
    /// The address of the cover, without credentials.
    public var image: String?
    public var link: String?
    public var hasTranscript: Bool

    public init(
        notes: [String] = [], chapters: [Chapter] = [], areChaptersApproximate: Bool = false, image: String? = nil,
        link: String? = nil, hasTranscript: Bool = false
    ) {
        (self.notes, self.chapters, self.image) = (notes, chapters, image)
        (self.areChaptersApproximate, self.link, self.hasTranscript) = (areChaptersApproximate, link, hasTranscript)
    }
}

/// A cue of a transcript.
public struct TranscriptRow: Sendable, Hashable {
    public var start: Duration?
    public var speaker: String?
    public var text: String

    public init(start: Duration? = nil, speaker: String? = nil, text: String) {
        (self.start, self.speaker, self.text) = (start, speaker, text)
    }
}

/// The numbers in the tabs.
public struct LibraryCounts: Sendable, Hashable {
    public var queued: Int
    /// The duration of the unplayed parts of the queue.
    public var queueTime: Duration
    public var new: Int
    /// Requested and partial downloads.
    public var downloads: Int

    public init(queued: Int = 0, queueTime: Duration = .zero, new: Int = 0, downloads: Int = 0) {
        (self.queued, self.queueTime, self.new, self.downloads) = (queued, queueTime, new, downloads)
    }
}

/// A setting of `earshot settings`.
public struct SettingRow: Sendable, Hashable {
    public var name: String
    public var value: String
    public var meaning: String

    public init(name: String, value: String, meaning: String) {
        (self.name, self.value, self.meaning) = (name, value, meaning)
    }
}
