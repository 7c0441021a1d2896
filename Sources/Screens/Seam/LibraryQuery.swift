// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of episodes, which the driver reads from the library page by page.
public struct EpisodeList: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// All episodes of subscribed podcasts, newest first.
        case all
        case podcast(Int64)
        /// The unplayed episodes of all podcasts, newest first.
        case new
        /// The queue, in its order.
        case queue
        /// Downloaded, partly downloaded and requested episodes, the latest request first.
        case downloads
        /// The episodes found by words, best first.
        case search(String)
    }

    public var source: Source
    /// Words that the title or the podcast's title must contain, in any case; empty for all episodes.
    public var filter: String

    public init(_ source: Source, filter: String = "") { (self.source, self.filter) = (source, filter) }
}

/// A place in a list from which a page is read.
public enum PageStart: Sendable, Hashable {
    /// The first page. To count a long list takes longer than to read the page, so the total is that of the rows.
    case top
    /// The page starts at this index, from 0. An index past the end asks for the last page.
    case index(Int)
    /// The page contains this episode in the middle; if the list lacks it, the page starts at the index.
    case around(Int64, otherwise: Int)
}

/// A question to the library.
public enum LibraryQuery: Sendable, Hashable {
    /// All subscribed podcasts.
    case podcasts
    /// At most `count` episodes of a list.
    case episodes(EpisodeList, PageStart, count: Int)
    /// The notes, chapters and other details of an episode.
    case details(Int64)
    case transcript(Int64)
    /// The numbers in the tabs, and the time left in the queue.
    case counts
    case settings
}

/// An answer to a query.
public enum LibraryAnswer: Sendable, Equatable {
    case podcasts([PodcastRow])
    case episodes(EpisodePage)
    case details(EpisodeDetails)
    case transcript([TranscriptRow])
    case counts(LibraryCounts)
    case settings([SettingRow])
    /// The reason why there is no answer, as a sentence.
    case failure(String)
}
