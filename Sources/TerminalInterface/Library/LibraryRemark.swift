// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import EpisodeSources
import Media

/// Messages about completed actions. They go to standard error, because they are not data.
public enum LibraryRemark {
    public static func message(_ sentence: String) -> ReportText { .error(PrintableText(sentence).text + "\n") }

    /// Returns `Queued: The storm.` or `Queued: 12 episodes.`
    public static func done(_ what: String, _ episodes: [EpisodeSummary]) -> ReportText {
        message("\(what): \(episodes.count == 1 ? episodes[0].name : "\(episodes.count) episodes").")
    }

    /// Returns the reason why an episode is unchanged: `Episode 1 "Trailer" is not in the queue.`
    public static func unchanged(_ episode: EpisodeSummary, _ reason: String) -> ReportText {
        message("Episode \(episode.id) \"\(episode.name)\" \(reason).")
    }

    /// Reports an inexact match.
    /// - Parameter taken: a description of the matched object.
    public static func matched(_ name: String, as taken: String) -> ReportText {
        message("\"\(PublicAddress.typed(name))\" matches \(taken).")
    }

    /// Reports removed downloads.
    /// - Parameters:
    ///   - trashed: the bytes of these downloads that are now in the trash.
    ///   - freed: the bytes deleted from the trash to free disk space.
    public static func removed(_ episodes: [EpisodeSummary], trashed: Int64, freed: Int64) -> [ReportText] {
        guard !episodes.isEmpty else { return [done("Removed", episodes)] }
        let what = episodes.count == 1 ? episodes[0].name : "\(episodes.count) episodes"
        return [message("Removed: \(what)\(trashed > 0 ? ": \(moved(trashed))" : ".")")]
            + (freed > 0 ? [FailureText.note(deletedForSpace(freed))] : [])
    }

    /// Reports a merge.
    /// - Parameter trashed: the bytes of the second file, which are now in the trash.
    public static func merged(_ gone: EpisodeSummary, into kept: EpisodeSummary, trashed: Int64) -> [ReportText] {
        let sentence = message("Merged episode \(gone.id) into \(kept.id): \(kept.name).")
        return [sentence] + (trashed > 0 ? [message("The second file was \(moved(trashed))")] : [])
    }

    /// Reports an import or an undo that merged downloaded episodes.
    /// - Parameter trashed: the bytes of the second files, which are now in the trash.
    public static func secondFiles(trashed: Int64) -> [ReportText] {
        guard trashed > 0 else { return [] }
        return [message("If two merged episodes both had a file, one of the files was \(moved(trashed))")]
    }

    /// Reports the downloads that the rules removed.
    public static func tidied(_ tidying: LibraryRules.CleanupReport) -> [ReportText] {
        let count = tidying.removals.count
        var seen: Set<SettingKey> = []
        let rules = tidying.removals.map(\.because).filter { seen.insert($0).inserted }.map(\.rawValue)
        var texts: [ReportText] = []
        if count > 0 {
            let what = "\(rules.joined(separator: ", ")): removed \(CountText.text(count, "download"))"
            texts.append(message(what + (tidying.trashed > 0 ? ": \(moved(tidying.trashed))" : ".")))
        }
        if tidying.freed > 0 { texts.append(message("Deleted \(ClockText.size(tidying.freed)) from the trash.")) }
        return texts
    }

    /// Reports files that the library has recorded, because it did not know them.
    public static func found(_ count: Int) -> [ReportText] {
        guard count > 0 else { return [] }
        let (what, them) = (CountText.text(count, "download"), count == 1 ? "it" : "them")
        return [message("Found \(what) on the disk. \"keep-total\" counts \(them) from the next refresh on.")]
    }

    /// Returns a sentence without its full stop.
    public static func deletedForSpace(_ bytes: Int64) -> String {
        "the disk is nearly full: deleted \(ClockText.size(bytes)) from the trash"
    }

    /// Reports the contents of the trash; nothing if it is empty.
    public static func trash(count: Int, bytes: Int64) -> [ReportText] {
        guard count > 0 else { return [] }
        let downloads = CountText.text(count, "download")
        return [message("The trash holds \(downloads), \(ClockText.size(bytes)): \(emptying)")]
    }

    private static func moved(_ bytes: Int64) -> String {
        "moved to the trash, \(ClockText.size(bytes)). \"earshot undo\" restores it, \(emptying)"
    }

    private static let emptying = "\"earshot downloads --empty-trash\" frees the space."

    public static func freed(_ bytes: Int64) -> ReportText { message("Freed \(ClockText.size(bytes)).") }

    public static let more = message("More results exist; raise --limit.")
    public static let none = message("No episodes match.")

    /// Reports a search without results.
    public static func none(with words: String) -> ReportText { message("No episode has the words \"\(words)\".") }
}
