// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// What is said of an act that was done: a sentence on standard error, for it is no data.
public enum LibraryRemark {
    public static func said(_ sentence: String) -> ReportText { .error(PrintableText(sentence).text + "\n") }

    /// `Queued: The storm.`, `Queued: 12 episodes.`
    public static func done(_ what: String, _ episodes: [EpisodeSummary]) -> ReportText {
        said("\(what): \(episodes.count == 1 ? episodes[0].name : "\(episodes.count) episodes").")
    }

    /// Why an episode stays as it is: `Episode 1 "Trailer" is not in the queue.`
    public static func unchanged(_ episode: EpisodeSummary, _ reason: String) -> ReportText {
        said("Episode \(episode.id) \"\(episode.name)\" \(reason).")
    }

    public static func taken(_ name: String, as podcast: PodcastSummary) -> ReportText {
        said("\"\(PublicAddress.typed(name))\" is taken as the podcast \"\(podcast.name)\".")
    }

    public static func taken(_ name: String, as episode: EpisodeSummary) -> ReportText {
        said("\"\(PublicAddress.typed(name))\" is taken as episode \(episode.id), \"\(episode.name)\".")
    }

    public static func freed(_ bytes: Int64) -> ReportText { said("\(ClockText.size(bytes)) are free now.") }

    public static let more = said("There are more: --limit says how many are shown.")
    public static let none = said("There are no such episodes.")

    /// Nothing was found by these words.
    public static func none(with words: String) -> ReportText { said("No episode has the words \"\(words)\".") }
}
