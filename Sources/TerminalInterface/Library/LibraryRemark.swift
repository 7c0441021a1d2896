// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary

/// What is said of an act that was done: a sentence on standard error, for it is no data.
public enum LibraryRemark {
    public static func said(_ sentence: String) -> ReportText { .error(PrintableText(sentence).text + "\n") }

    /// `Queued: The storm.`, `Queued: 3 episodes.`
    public static func done(_ what: String, _ episodes: [EpisodeSummary]) -> ReportText {
        guard episodes.count != 0 else { return said("Nothing is to be changed.") }
        return said("\(what): \(episodes.count == 1 ? episodes[0].name : "\(episodes.count) episodes").")
    }

    public static func freed(_ bytes: Int64) -> ReportText { said("\(ClockText.size(bytes)) are free now.") }

    public static let more = said("There are more: --limit says how many are shown.")
    public static let none = said("There are no such episodes.")
}
