// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Podcasts

/// The journal, for people.
public enum ActText {
    public static func json(_ acts: [Act]) -> [ReportText] {
        acts.map { .output(LibraryJSON.line(LibraryJSON.act($0))) }
    }

    /// The answer of `earshot undo`.
    /// - Parameter lost: how many downloads came back whose files did not.
    public static func undone(_ act: Act, lost: Int) -> [ReportText] {
        let but =
            switch lost {
            case 0: ""
            case 1: " But the file of a download is gone for good: it is wanted again."
            default: " But the files of \(lost) downloads are gone for good: they are wanted again."
            }
        return [.error("Undone: \(words(act)) (\(DateText.minute(act.at))).\(but)\n")]
    }

    /// The answer of `earshot undo --list`.
    public static func plain(_ acts: [Act]) -> [ReportText] {
        guard !acts.isEmpty else { return [.error("There is nothing to undo.\n")] }
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
        case .bookmark: "bookmark"
        case .importing: "imported"
        case .merge: "merged"
        case .split: "split"
        case .rename: "renamed"
        case .moveFeed: "moved"
        }
    }
}
