// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import EpisodeSources
import Media

/// The text of the undo journal.
public enum JournalText {
    public static func json(_ acts: [Act]) -> [ReportText] {
        acts.map { .output(LibraryJSON.line(LibraryJSON.act($0))) }
    }

    /// Returns the output of `earshot undo --json`: the act, and messages about lost and moved files.
    public static func json(_ undone: LibraryDownloads.UndoReport) -> [ReportText] {
        json([undone.undoing.act]) + losses(undone).map { ReportText.error($0 + "\n") }
            + LibraryRemark.secondFiles(trashed: undone.trashed)
    }

    /// Returns the output of `earshot undo`.
    public static func undone(_ undone: LibraryDownloads.UndoReport) -> [ReportText] {
        let act = undone.undoing.act
        let sentences = ["Undone: \(words(act)) (\(DateText.minute(act.at)))."] + losses(undone)
        return [.error(sentences.joined(separator: " ") + "\n")] + LibraryRemark.secondFiles(trashed: undone.trashed)
    }

    /// Returns the error if nothing could be undone; otherwise `nil`.
    public static func failure(_ undone: LibraryDownloads.UndoReport) -> LibraryError? {
        guard !undone.undoing.hasRestored, !undone.undoing.lost.isEmpty else { return nil }
        return LibraryError(
            .missing, "cannot undo \"\(words(undone.undoing.act))\": it is no longer in the library")
    }

    private static let mostNames = 3

    private static func losses(_ undone: LibraryDownloads.UndoReport) -> [String] {
        var sentences: [String] = []
        let names = undone.lostFiles.map { "\"\(PrintableText($0).text)\"" }
        if !names.isEmpty {
            let more = names.count > mostNames ? ", ..." : ""
            let list = names.prefix(mostNames).joined(separator: ", ") + more
            sentences.append(
                names.count == 1
                    ? "The file of \(list) was deleted: \"earshot download\" downloads it again."
                    : "\(names.count) files were deleted (\(list)): \"earshot download\" downloads them again.")
        }
        let lost = undone.undoing.lost
        let rows = UndoResult.Loss.allCases.compactMap { loss in lost[loss].map { words($0, loss) } }
        if !rows.isEmpty {
            sentences.append("Not restored, because their episodes are missing: \(rows.joined(separator: ", ")).")
        }
        return sentences
    }

    private static func words(_ count: Int, _ loss: UndoResult.Loss) -> String {
        switch loss {
        case .download: CountText.text(count, "download")
        case .bookmark: CountText.text(count, "bookmark")
        case .playback: CountText.text(count, "position")
        case .podcast: CountText.text(count, "subscription")
        case .queueEntry: CountText.text(count, "queue entry", "queue entries")
        }
    }

    /// Returns the output of `earshot undo --list`.
    public static func plain(_ acts: [Act]) -> [ReportText] {
        guard !acts.isEmpty else { return [.error("Nothing to undo.\n")] }
        return acts.map { .output(line($0) + "\n") }
    }

    static func line(_ act: Act) -> String {
        DateText.minute(act.at) + "  " + words(act) + (act.isUndone ? "  (undone)" : "")
    }

    private static func words(_ act: Act) -> String {
        "\(name(act.verb)): \(PrintableText(act.subject).text)"
    }

    private static func name(_ verb: Act.Verb) -> String {
        switch verb {
        case .subscribe: "subscribed"
        case .unsubscribe: "unsubscribed"
        case .markPlayed: "marked as played"
        case .markUnplayed: "marked as unplayed"
        case .queue: "changed the queue"
        case .download: "downloaded"
        case .remove: "removed the download"
        case .set: "set"
        case .bookmark: "added a bookmark"
        case .removeBookmark: "removed a bookmark"
        case .importing: "imported"
        case .merge: "merged"
        case .split: "split"
        case .rename: "renamed"
        case .moveFeed: "moved"
        case .shiftTranscript: "shifted the transcript"
        case .startOver: "started over with later audio"
        case .smartQueue: "created the smart queue"
        case .removeSmartQueue: "deleted the smart queue"
        }
    }
}
